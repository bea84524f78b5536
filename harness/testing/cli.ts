import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

/** The repository, from which tests copy scenarios, lanes and goldens. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface CliResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the real command line as a child process. */
export async function parity(
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<CliResult> {
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [join(REPOSITORY, 'harness/cli.ts'), ...args],
    {
      cwd,
      // CI would forbid recording; NO_COLOR keeps snapshots plain.
      env: { CI: '', NO_COLOR: '1', ...env },
      reject: false,
    },
  );
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

/** A folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parity-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A project with the named scenarios of this repository, their goldens, the codebook and the embedded lanes. */
export function temporaryProject(scenarios: string[] = ['tools/weather']): string {
  const folder = temporaryFolder();
  const files = scenarios.flatMap((name) => [
    `scenarios/${name}.yaml`,
    `goldens/teleprompter-256/spliced/${name}.json`,
  ]);
  const lanes = ['embedded-vllm', 'embedded-trtllm', 'attach-vllm'].map((name) => `ci/lanes/${name}.yaml`);
  for (const file of [...files, ...lanes, 'goldens/codebook.json', 'goldens/differences.yaml']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(REPOSITORY, file), join(folder, file), { recursive: true });
  }
  return folder;
}
