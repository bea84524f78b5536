import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../schemas/types.ts';
import { parity, REPOSITORY, temporaryProject } from '../../testing/cli.ts';
import { untilGone } from '../../testing/processes.ts';
import { serve } from '../../testing/serve.ts';

const CLI = join(REPOSITORY, 'harness/cli.ts');
/** The embedded server as any other server that a lane starts: the harness does not know it here. */
const SERVE = [process.execPath, CLI, 'serve', '--server', 'nemo-rl-vllm', '--port', '{port}'];

interface LaunchText {
  command: string[];
  [key: string]: unknown;
}

/** A project with a lane that starts something. */
function projectWith(launch: LaunchText): string {
  const cwd = temporaryProject();
  const lane = {
    name: 'launched',
    server: 'nemo-rl-vllm',
    model: { name: 'teleprompter-256', teleprompter: { lag: 256 } },
    launch,
    parsers: { tool: 'hermes', reasoning: 'qwen3' },
    eos: 'kept',
  };
  // JSON is YAML.
  writeFileSync(join(cwd, 'ci/lanes/launched.yaml'), JSON.stringify(lane));
  return cwd;
}

const run = (cwd: string, env: Record<string, string> = {}) =>
  parity(['run', '--lane', 'launched', '--out', 'run'], { cwd, env });

const laneOf = (cwd: string): Run['lanes'][number] => {
  const { lanes }: Run = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'));
  const [lane] = lanes;
  if (!lane) throw new Error('no lane');
  return lane;
};

/** A program of the test's own, started by `node`. */
function script(cwd: string, name: string, text: string): void {
  writeFileSync(join(cwd, name), text);
}

test('a launched server is played, recorded and gone afterwards', async () => {
  const cwd = projectWith({ command: SERVE });
  const { exitCode, stdout, stderr } = await run(cwd, { SLURM_JOB_ID: '7', HF_TOKEN: 'hidden' });
  expect(stdout).toContain('EQUAL       every field of every turn equals its golden');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('launch      launched: starting (0 s)');
  const { launch, url, engine } = laneOf(cwd);
  expect(launch?.command).toEqual([...SERVE.slice(0, -1), new URL(url ?? '').port]);
  expect(launch?.env).not.toHaveProperty('SLURM_JOB_ID');
  expect(launch?.env).not.toHaveProperty('HF_TOKEN');
  // NeMo-RL's server has no list of models to be compared with the lane.
  expect(engine).toEqual({});
  expect(readFileSync(join(cwd, 'run/logs/launched.log'), 'utf8')).toContain('"emulated":true');
  expect(await untilGone(cwd, `serve --server nemo-rl-vllm --port ${new URL(url ?? '').port}`)).toEqual([]);
});

test('a boot script says in a JSON line where its server listens', async () => {
  const command = [...SERVE.slice(0, -1), '0'];
  const cwd = projectWith({ command, url: '{handshake.url}', env: { JSON_ARGUMENT: '{"a": {port}}' } });
  const { exitCode } = await run(cwd);
  expect(exitCode).toBe(0);
  const { launch, url } = laneOf(cwd);
  expect(launch?.handshake).toMatchObject({ url, server: 'nemo-rl-vllm', emulated: true });
  expect(launch?.env.JSON_ARGUMENT).toMatch(/^\{"a": \d+\}$/);
});

test('only what the lane keeps reaches the server, and secrets are not spelled', async () => {
  const command = [...SERVE.slice(0, -1), '0'];
  const cwd = projectWith({
    command,
    url: '{handshake.url}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the lane file's own spelling.
    env: { API_TOKEN: '${TEST_SECRET}' },
    keep_env: ['NCCL_*', 'CUDA_VISIBLE_DEVICES'],
  });
  const env = { TEST_SECRET: 'x-hidden-x', NCCL_DEBUG: 'INFO', CUDA_VISIBLE_DEVICES: '1', OMPI_COMM: '3' };
  expect(await run(cwd, env)).toMatchObject({ exitCode: 0 });
  const { launch } = laneOf(cwd);
  expect(launch?.env).toMatchObject({
    NCCL_DEBUG: 'INFO',
    CUDA_VISIBLE_DEVICES: '1',
    API_TOKEN: '(not shown)',
  });
  expect(launch?.env).not.toHaveProperty('OMPI_COMM');
  expect(readFileSync(join(cwd, 'run/run.json'), 'utf8')).not.toContain('x-hidden-x');
});

const node = (text: string): string[] => [process.execPath, '-e', text];
const FAILURES: [what: string, launch: LaunchText, says: RegExp][] = [
  [
    'a program that is not there',
    { command: ['vlm-serve', '{port}'] },
    /'vlm-serve' could not be started: no such program before it was ready[\s\S]*is vlm-serve installed/,
  ],
  [
    'an unknown flag',
    { command: node('console.error("error: unrecognized arguments: --tool-parsr"); process.exit(2)') },
    /exited with code 2 before it was ready[\s\S]*does not know --tool-parsr[\s\S]*last lines of its log/,
  ],
  [
    'no memory',
    { command: node('console.error("torch.OutOfMemoryError: CUDA out of memory."); process.exit(1)') },
    /not enough memory: free the device/,
  ],
  [
    'a missing package',
    { command: node('console.error("ModuleNotFoundError: No module named \'vllm\'"); process.exit(1)') },
    /the Python package vllm is missing where the command runs/,
  ],
  [
    'a server that ends itself',
    { command: node('process.kill(process.pid, "SIGKILL")') },
    /was ended by SIGKILL before it was ready/,
  ],
  [
    'a server that never listens',
    { command: node('console.log("thinking"); setInterval(() => {}, 1000)'), ready: { within: '3s' } },
    /not ready within 3s[\s\S]*raise `ready[\s\S]*thinking/,
  ],
];

test.for(FAILURES)('%s exits 3 with a readable message', async ([, launch, says]) => {
  const cwd = projectWith(launch);
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toMatch(says);
  expect(stdout).toMatch(/^INFRA {7}lane launched: /m);
  expect(exitCode).toBe(3);
});

test('a taken port exits 3 and says so', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const cwd = projectWith({ command: [...SERVE.slice(0, -1), port], url: `http://127.0.0.1:${port}` });
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toContain('the port is taken');
  expect(exitCode).toBe(3);
});

test('hostile output of a server that fails is spelled, not obeyed', async () => {
  const cwd = projectWith({
    command: node('console.log("\\u001b[2J\\u0007::error::x\\u202e"); process.exit(1)'),
  });
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202e]|^::/m);
  expect(exitCode).toBe(3);
});

/** Starts a child that ignores SIGTERM, in a session of its own; then serves. */
const STUBBORN = `
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000) // stubborn'], { detached: true, stdio: 'ignore' });
child.unref();
process.on('SIGTERM', () => {});
const [serve, ...args] = process.argv.slice(2);
process.argv = [process.execPath, serve, ...args];
await import(serve);
`;

test('children that ignore SIGTERM in sessions of their own are ended too', async () => {
  const cwd = projectWith({ command: [process.execPath, 'stubborn.mjs', CLI, ...SERVE.slice(2)] });
  script(cwd, 'stubborn.mjs', STUBBORN);
  expect(await run(cwd)).toMatchObject({ exitCode: 0 });
  expect(await untilGone(cwd, 'stubborn')).toEqual([]);
});

/** Says whether the server still answers when it is asked to stop. */
const STOPS = `fetch("http://127.0.0.1:{port}/health").then(() => "serving", () => "gone").then((state) => require("fs").writeFileSync("stopped", "{name} " + state))`;

test("the lane's own stop command runs first", async () => {
  const cwd = projectWith({ command: SERVE, stop: node(STOPS) });
  expect(await run(cwd)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(cwd, 'stopped'), 'utf8')).toMatch(/^launched-[0-9a-f]{8} serving$/);
});

/** Answers the readiness probe and the identity check, then dies at the second turn. */
const DIES = `
import { createServer, request } from 'node:http';
process.argv = [process.execPath, process.argv[2], 'serve', '--server', 'nemo-rl-vllm', '--port', '0'];
const write = process.stdout.write.bind(process.stdout);
let inner;
process.stdout.write = (text) => { if (text.startsWith('{')) inner = JSON.parse(text).url; return true; };
import(process.argv[1]);
while (!inner) await new Promise((done) => setTimeout(done, 50));
let chats = 0;
createServer((incoming, outgoing) => {
  if (incoming.url.endsWith('/chat/completions') && ++chats === 4) { console.error('EngineDeadError: planted'); process.exit(9); }
  incoming.pipe(request(inner + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  }));
}).listen(0, '127.0.0.1', function () { write(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port }) + '\\n'); });
`;

test('a server that dies between turns is infrastructure, with its last words', async () => {
  const cwd = projectWith({ command: [process.execPath, 'dies.mjs', CLI], url: '{handshake.url}' });
  script(cwd, 'dies.mjs', DIES);
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toMatch(/exited with code 9 at tools\/weather turn 2[\s\S]*EngineDeadError: planted/);
  expect(exitCode).toBe(3);
});

test('a server that was there before is not taken for the one that was started', async () => {
  const { url } = await serve('--server', 'nemo-rl-vllm');
  const cwd = projectWith({ command: node('setInterval(() => {}, 1000)'), url });
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toContain(`something answers at ${url} already`);
  expect(exitCode).toBe(3);
});

test('a command that ends while another server answers for it is no pass', async () => {
  const other = `import('node:child_process').then(({ spawn }) => {
    spawn(process.execPath, ${JSON.stringify([CLI, ...SERVE.slice(2)])}, { stdio: 'inherit', detached: true });
    const look = () => fetch('http://127.0.0.1:{port}/health').then(() => process.exit(0), () => setTimeout(look, 20));
    look();
  });`;
  const cwd = projectWith({ command: node(other) });
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toMatch(/exited with code 0 (before it was ready|while it was played|at tools)/);
  expect(exitCode).toBe(3);
  expect(await untilGone(cwd, 'serve --server')).toEqual([]);
});

test('an early exit is seen at once though a child holds the output', async () => {
  const cwd = projectWith({ command: ['sh', '-c', 'sleep 60 & exit 3'], ready: { within: '60s' } });
  const startedAt = performance.now();
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toContain("'sh' exited with code 3 before it was ready");
  expect(exitCode).toBe(3);
  expect(performance.now() - startedAt).toBeLessThan(50_000);
  expect(laneOf(cwd).launch).toMatchObject({
    command: ['sh', '-c', 'sleep 60 & exit 3'],
    exit: 'exited with code 3',
  });
});

test('secrets reach neither the run folder nor the terminal, wherever they are put', async () => {
  const says = `console.log("token is " + process.argv[1] + " via " + process.env.HTTPS_PROXY); process.exit(1)`;
  const cwd = projectWith({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the lane file's own spelling.
    command: [...node(says), '${TEST_SECRET}'],
    keep_env: ['HTTPS_PROXY'],
  });
  const env = { TEST_SECRET: 'hf-SECRET-7', HTTPS_PROXY: 'http://ada:PROXYPASS@proxy:1' };
  const { exitCode, stdout, stderr } = await run(cwd, env);
  expect(exitCode).toBe(3);
  const files = ['run.json', 'results.json', 'logs/launched.log'].map((file) =>
    readFileSync(join(cwd, 'run', file), 'utf8'),
  );
  for (const text of [stdout, stderr, ...files]) expect(text).not.toMatch(/SECRET-7|PROXYPASS/);
  expect(stdout).toContain('token is (not shown) via http://(not shown)@proxy:1');
});

test('a stop command that fails is told, and what it leaves behind is ended', async () => {
  const failing = projectWith({ command: SERVE, stop: ['dockr', 'stop', 'x'] });
  expect((await run(failing)).stdout).toContain(
    "left after every stop: the stop command 'dockr' failed (not started)",
  );
  const leaving = projectWith({ command: SERVE, stop: ['sh', '-c', 'sleep 77 & exit 0'] });
  expect(await run(leaving)).toMatchObject({ exitCode: 0 });
  expect(await untilGone(leaving, 'sleep 77')).toEqual([]);
});

test('a lane that cannot be meant exits 2 before any other lane is played', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the lane file's own spelling.
  const cwd = projectWith({ command: [...SERVE, '${NOWHERE_SET}'] });
  const { exitCode, stderr } = await parity(['run', '--lane', 'embedded-vllm,launched', '--out', 'run'], {
    cwd,
  });
  expect(stderr).toContain('the environment variable NOWHERE_SET is not set');
  expect(exitCode).toBe(2);
  expect(existsSync(join(cwd, 'run'))).toBe(false);
});

/** Answers the fourth question with an error, and says why in its log. */
const FAILS = DIES.replace(
  /console\.error[^\n]*process\.exit\(9\);/,
  "console.error('planted reason'); outgoing.writeHead(500).end('{}'); return;",
);

test('an error of a started server is shown with what its log says of it', async () => {
  const cwd = projectWith({ command: [process.execPath, 'fails.mjs', CLI], url: '{handshake.url}' });
  script(cwd, 'fails.mjs', FAILS);
  const { exitCode, stdout } = await run(cwd);
  expect(stdout).toContain('FAIL tools/weather  turn 2  http_status   launched vs golden');
  expect(stdout).toContain('- its log: planted reason');
  expect(exitCode).toBe(1);
});

/** Listens at once; its chat route is there after three refusals. */
const SLOW = DIES.replace(
  /if \(incoming[^\n]*process\.exit\(9\); \}/,
  "if (incoming.url.endsWith('/chat/completions') && ++chats < 4) { outgoing.writeHead(503).end(); return; }",
);

test('a server that listens before its engine answers is waited for', async () => {
  const cwd = projectWith({ command: [process.execPath, 'slow.mjs', CLI], url: '{handshake.url}' });
  script(cwd, 'slow.mjs', SLOW);
  expect(SLOW).toContain('503');
  expect(await run(cwd)).toMatchObject({ exitCode: 0 });
});

const WAYS: [name: string, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL', exitCode: number | undefined][] = [
  ['Ctrl-C', 'SIGINT', 4],
  ['SIGTERM', 'SIGTERM', 4],
  ['the death of the harness', 'SIGKILL', undefined],
];

test.for(WAYS)('%s while a server boots leaves no process of it', async ([, signal, expected]) => {
  const cwd = projectWith({
    command: node('console.log("booting"); setInterval(() => {}, 1000) // booting-{name}'),
  });
  const child = execa(process.execPath, [CLI, 'run', '--lane', 'launched', '--out', 'run'], {
    cwd,
    env: { CI: '' },
    reject: false,
  });
  const log = join(cwd, 'run/logs/launched.log');
  while (!existsSync(log) || readFileSync(log, 'utf8') === '')
    await new Promise((done) => setTimeout(done, 50));
  child.kill(signal);
  const { exitCode } = await child;
  expect(exitCode).toBe(expected);
  expect(await untilGone(cwd, 'booting-launched')).toEqual([]);
});
