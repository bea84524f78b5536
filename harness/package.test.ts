import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { REPOSITORY, temporaryFolder } from './testing/cli.ts';
import { untilGone } from './testing/processes.ts';

test('the packed package installs elsewhere and records and runs a user’s own scenario', async () => {
  const folder = temporaryFolder();
  const env = { CI: '', NO_COLOR: '1' };
  await execa({ cwd: REPOSITORY, env })`npm pack --silent --pack-destination ${folder}`;
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(tarball).toBeDefined();

  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private": true}');
  const install = await execa({
    cwd: home,
    env,
    all: true,
  })`npm install --no-audit --no-fund ${join('..', tarball ?? '')}`;
  expect(install.all).not.toMatch(/ERR!|install-scripts/);
  const installed = readdirSync(join(home, 'node_modules'));
  expect(installed).not.toContain('onnxruntime-node');
  expect(installed).not.toContain('sharp');

  const parity = (...args: string[]) =>
    execa({ cwd: join(home, 'mine'), env, preferLocal: true, localDir: home })`parity ${args}`;
  const made = await execa({ cwd: home, env, preferLocal: true })`parity init mine`;
  const next = made.stdout.split('\n').at(-1) ?? '';
  expect(next).toBe('next: cd mine && npx parity run');
  // The line that it prints works where it was printed.
  const first = await execa({ cwd: home, env, shell: true })`${next.replace('next: ', '')}`;
  expect(first.stdout).toContain('EQUAL ');
  cpSync(
    join(REPOSITORY, 'scenarios/tools/call-chain.yaml'),
    join(home, 'mine/scenarios/tools/call-chain.yaml'),
  );
  expect((await parity('record', '--reason', 'my own')).stdout).toContain('1 written');
  const { stdout } = await parity('run', 'tools/call-chain');
  expect(stdout).toContain('1 scenario, ');
  expect(stdout).toContain('EQUAL ');

  // A server of the user's own is started and watched from the bundle too.
  writeFileSync(join(home, 'mine/ci/lanes/launched.yaml'), LAUNCHED);
  const launched = await parity('run', '--lane', 'launched', '--out', 'run');
  expect(launched.stdout).toContain('EQUAL ');
  expect(readdirSync(join(home, 'node_modules/vllm-trtllm-parity/dist'))).toContain('watchdog.js');
  expect(await untilGone(join(home, 'mine'), '')).toEqual([]);
}, 180_000);

const LAUNCHED = `name: launched
server: nemo-rl-vllm
model: { name: teleprompter-256, teleprompter: { lag: 256 } }
launch: { command: [parity, serve, --port, "{port}"] }
parsers: { tool: hermes, reasoning: qwen3 }
eos: kept
`;
