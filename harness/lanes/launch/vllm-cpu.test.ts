import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { parity, REPOSITORY, temporaryProject } from '../../testing/cli.ts';
import { running, untilGone } from '../../testing/processes.ts';

/*
 * What becomes of a real vLLM when things go wrong. Every test starts one, so these are few and take a minute each; without
 * ci/vllm-cpu/install.sh they are skipped.
 */

const CLI = join(REPOSITORY, 'harness/cli.ts');
const { stdout: venv } = execaSync('bash', [join(REPOSITORY, 'ci/vllm-cpu/venv.sh')]);
const SCENARIO = 'basics/twelve-turns';
const TIMEOUT = 600_000;

/** The checkpoint is written once for all tests. */
const models = mkdtempSync(join(tmpdir(), 'parity-models-'));
afterAll(() => rmSync(models, { recursive: true, force: true }));

/** A project with the lane and one scenario; its lane file edited as a test wants. */
function projectWith(edit: (lane: string) => string = (lane) => lane): string {
  const cwd = temporaryProject([]);
  for (const file of [
    `scenarios/${SCENARIO}.yaml`,
    `goldens/teleprompter-256/rerendered/${SCENARIO}.json`,
    'ci/vllm-cpu',
  ]) {
    mkdirSync(join(cwd, file, '..'), { recursive: true });
    cpSync(join(REPOSITORY, file), join(cwd, file), { recursive: true });
  }
  mkdirSync(join(cwd, 'reports'));
  symlinkSync(models, join(cwd, 'reports/models'));
  const lane = readFileSync(join(REPOSITORY, 'ci/lanes/vllm-cpu.yaml'), 'utf8');
  writeFileSync(join(cwd, 'ci/lanes/vllm-cpu.yaml'), edit(lane));
  return cwd;
}

const run = (cwd: string) => parity(['run', '--lane', 'vllm-cpu', '--out', 'run'], { cwd });

const start = (cwd: string) =>
  execa(process.execPath, [CLI, 'run', '--lane', 'vllm-cpu', '--out', 'run'], {
    cwd,
    env: { CI: '', NO_COLOR: '1' },
    reject: false,
  });

async function until(happens: () => boolean): Promise<void> {
  while (!happens()) await new Promise((resolve) => setTimeout(resolve, 100));
}

const logSays = (cwd: string, text: RegExp): boolean => {
  const log = join(cwd, 'run/logs/vllm-cpu.log');
  return existsSync(log) && text.test(readFileSync(log, 'utf8'));
};
const asked = (cwd: string, turn: number): boolean =>
  existsSync(join(cwd, `run/exchanges/vllm-cpu/${SCENARIO}/${turn}.request.json`));

describe.skipIf(!existsSync(join(venv, '.parity-pins')))('a real vLLM on the CPU', () => {
  test('a wrong flag exits 3 and names it', { timeout: TIMEOUT }, async () => {
    const cwd = projectWith((lane) => lane.replace('--enforce-eager', '--enforce-eagerly'));
    const { exitCode, stdout } = await run(cwd);
    expect(stdout).toMatch(/exited with code 2 before it was ready[\s\S]*does not know --enforce-eagerly/);
    expect(exitCode).toBe(3);
    expect(await untilGone(cwd, '')).toEqual([]);
  });

  test('a model folder that is not there exits 3 and says so', { timeout: TIMEOUT }, async () => {
    const cwd = projectWith((lane) => lane.replace('--model={model.path}', '--model=./nowhere'));
    const { exitCode, stdout } = await run(cwd);
    expect(stdout).toMatch(/the model was not found: check `model.path`/);
    expect(exitCode).toBe(3);
    expect(await untilGone(cwd, '')).toEqual([]);
  });

  test('a taken port exits 3 and says so', { timeout: TIMEOUT }, async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const cwd = projectWith((lane) =>
      lane.replace('{port}', port).replace('launch:', `launch:\n  url: http://127.0.0.1:${port}`),
    );
    const { exitCode, stdout } = await run(cwd);
    expect(stdout).toMatch(/the port is taken/);
    expect(exitCode).toBe(3);
    expect(await untilGone(cwd, '')).toEqual([]);
  });

  test('the death of the harness while it boots leaves no process', { timeout: TIMEOUT }, async () => {
    const cwd = projectWith();
    const child = start(cwd);
    await until(() => logSays(cwd, /EngineCore/));
    child.kill('SIGKILL');
    await child;
    expect(await untilGone(cwd, '')).toEqual([]);
  });

  test('the death of the harness during a turn leaves no process', { timeout: TIMEOUT }, async () => {
    const cwd = projectWith();
    const child = start(cwd);
    await until(() => asked(cwd, 3));
    expect(running(cwd, '').length).toBeGreaterThan(2);
    child.kill('SIGKILL');
    await child;
    expect(await untilGone(cwd, '')).toEqual([]);
  });

  test('Ctrl-C during a turn exits 4 and leaves no process', { timeout: TIMEOUT }, async () => {
    const cwd = projectWith();
    const child = start(cwd);
    await until(() => asked(cwd, 3));
    child.kill('SIGINT');
    const interruptedAt = performance.now();
    const { exitCode, stdout } = await child;
    expect(exitCode).toBe(4);
    expect(stdout).toContain('INCOMPLETE  lane vllm-cpu: interrupted (exit 4)');
    expect(await untilGone(cwd, '')).toEqual([]);
    expect(performance.now() - interruptedAt).toBeLessThan(30_000);
  });

  test('an engine that dies between turns exits 3 with its log', { timeout: TIMEOUT }, async () => {
    const cwd = projectWith();
    const child = start(cwd);
    await until(() => asked(cwd, 3));
    const [engine] = running(cwd, 'VLLM::EngineCore');
    process.kill(Number.parseInt(engine ?? '', 10), 'SIGKILL');
    const { exitCode, stdout } = await child;
    expect(stdout).toMatch(/^INFRA {7}lane vllm-cpu: .*basics\/twelve-turns turn \d+/m);
    expect(exitCode).toBe(3);
    expect(await untilGone(cwd, '')).toEqual([]);
  });
});
