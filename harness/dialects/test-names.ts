import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';

/**
 * Every test of the files that some references (`file: title`, files below harness/) name, as such references. vitest itself
 * lists them, so that each case of a table of tests has its own name; nothing is run.
 */
export async function namesOfTests(root: string, references: readonly string[]): Promise<Set<string>> {
  const named = new Set(references.map((name) => `harness/${name.split(': ')[0]}`));
  const files = [...named].filter((file) => existsSync(join(root, file)));
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'parity-names-'));
  const out = join(folder, 'names.json');
  try {
    // The path belongs to the option: with a blank between them vitest would write over the first test file.
    // One worker loads what the files share once.
    const config = ['--config', 'harness/suite/vitest.config.ts', '--maxWorkers=1'];
    const options = [...config, '--no-static-parse', `--json=${out}`];
    await execa(process.execPath, [vitest, 'list', ...options, ...files], { cwd: root });
    const listed: { name: string; file: string }[] = JSON.parse(readFileSync(out, 'utf8'));
    return new Set(listed.map(({ name, file }) => `${relative(join(root, 'harness'), file)}: ${name}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
