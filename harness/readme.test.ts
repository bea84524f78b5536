import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPOSITORY } from './testing/cli.ts';

/** Set to write what the commands print into README.md instead of comparing. */
const UPDATE = process.env.UPDATE_README === '1';

/** Commands that .ci/run runs itself: a test that installs and tests again would never end. */
const RUN_BY_CI = ['npm ci && npm run parity -- run', 'npm ci && npm test'];

const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```console\n\$ (.+)\n([\s\S]*?)```/g)].map(
  ([whole, command = '', output = '']) => ({
    whole,
    command,
    output,
  }),
);

let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'parity-readme-'));
  for (const name of readdirSync(REPOSITORY)) {
    if (['node_modules', '.git', 'reports', 'dist'].includes(name)) continue;
    cpSync(join(REPOSITORY, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Times and run names differ from run to run; everything else must be as shown. */
const steady = (text: string): string =>
  text
    .replace(/\d+\.\d s/g, '0.0 s')
    .replace(/reports\/\d{4}-\S+/g, 'reports/<id>')
    .replace(/--run \d{4}-\S+/g, '--run <id>')
    .replace(/ explain \d{4}-\S+/g, ' explain <id>')
    .replace(/[ \t]+$/gm, '')
    .trimEnd();

test('what the README says of a real vLLM on a CPU is what CI runs', () => {
  const [block = ''] = /```sh\nbash ci\/vllm-cpu[\s\S]*?```/.exec(readme) ?? [];
  const lines = block.split('\n').slice(1, -1);
  expect(lines).toHaveLength(2);
  const ci = readFileSync(join(REPOSITORY, '.ci/run'), 'utf8').split('\n');
  expect(ci).toEqual(expect.arrayContaining(lines));
});

test('the README shows commands', () => {
  expect(blocks.length).toBeGreaterThan(6);
});

test.for(blocks)('README: $command', async ({ whole, command, output }) => {
  if (RUN_BY_CI.includes(command)) {
    const ci = readFileSync(join(REPOSITORY, '.ci/run'), 'utf8');
    for (const part of command.split(' && ')) expect(ci).toContain(part);
    return;
  }
  const { stdout } = await execa({
    shell: false,
    reject: false,
    cwd: copy,
    env: { CI: '', NO_COLOR: '1', COLUMNS: '100' },
  })`${command.split(' ')}`;
  const shown = steady(stdout);
  if (UPDATE) {
    const file = join(REPOSITORY, 'README.md');
    const now = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      now.replace(whole, () => `\`\`\`console\n$ ${command}\n${shown}\n\`\`\``),
    );
  } else expect(shown).toBe(steady(output));
});
