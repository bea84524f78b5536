import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parity, REPOSITORY, temporaryProject } from '../testing/cli.ts';
import { serve } from '../testing/serve.ts';
import { standIn } from '../testing/stand-in.ts';

const attach = (url: string, cwd: string, ...args: string[]) =>
  parity(['run', '--lane', 'attach-vllm', '--out', 'run', ...args], { cwd, env: { PARITY_VLLM_URL: url } });

const verdictOf = (stdout: string): string =>
  stdout.split('\n').find((line) => /^[A-Z]{5,}/.test(line) && !line.startsWith('FAIL')) ?? '';

test('a running server is attached, asked over real HTTP and found equal', async () => {
  const { url } = await serve('--max-model-len', '4096');
  const cwd = temporaryProject();
  const { exitCode, stdout } = await attach(url, cwd);
  expect(verdictOf(stdout)).toBe('EQUAL       every field of every turn equals its golden');
  expect(exitCode).toBe(0);
  // The server says that it is our own emulation, so the run is no evidence.
  expect(stdout).toContain('not covered attach-vllm: emulated');
  const request = readFileSync(join(cwd, 'run/exchanges/attach-vllm/tools/weather/1.request.json'), 'utf8');
  expect(request).toMatch(
    /^\{"model":"teleprompter-256","messages":\[\{"role":"system","content":"You are a careful agent\."/,
  );
  expect(request).toMatch(
    /"temperature":0\.0,"top_p":1\.0,"max_tokens":256,"logprobs":true,"top_logprobs":0\}$/,
  );
});

test('a server that lacks the ids its lane promises exits 4', async () => {
  const { url } = await serve('--plant', 'ids-missing');
  const { exitCode, stdout } = await attach(url, temporaryProject());
  expect(verdictOf(stdout)).toMatchInlineSnapshot(
    `"INCOMPLETE  lane attach-vllm: the readiness probe's answer lacks prompt_token_ids and generation_token_ids (exit 4)"`,
  );
  expect(exitCode).toBe(4);
});

test('an error status from a live server is a divergence', async () => {
  const { url } = await serve('--plant', 'error-on-turn-two');
  const { exitCode, stdout } = await attach(url, temporaryProject());
  expect(stdout.split('\n').slice(0, 3)).toMatchInlineSnapshot(`
    [
      "FAIL tools/weather  turn 2  http_status   attach-vllm vs golden",
      "  ERR  attach-vllm deviates: the server failed on the request; only its log says why (server-error)",
      "  scenarios/tools/weather.yaml:34:5",
    ]
  `);
  expect(exitCode).toBe(1);
});

test('a server that dies between turns exits 3 and is no mismatch', async () => {
  const { url } = await serve();
  let asked = 0;
  const relay = await standIn((request, response, body) => {
    // Two questions of the readiness check and the first turn pass; then the connection is cut.
    if (request.url?.endsWith('/chat/completions') && ++asked > 3) return void request.socket.destroy();
    void pass(url, body, response);
  });
  const { exitCode, stdout } = await attach(relay, temporaryProject());
  expect(verdictOf(stdout)).toMatchInlineSnapshot(
    `"INFRA       lane attach-vllm: tools/weather turn 2: the server closed the connection (exit 3)"`,
  );
  expect(exitCode).toBe(3);
});

async function pass(url: string, body: Buffer, response: ServerResponse): Promise<void> {
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
}

const HOSTILE: [name: string, status: number, body: string, exitCode: number][] = [
  ['an HTML page', 200, '<html>\u001b[2J</html>', 4],
  ['an empty body', 200, '', 4],
  ['JSON without choices', 200, '{"choices": []}', 4],
  ['a bomb of brackets', 200, '['.repeat(200_000), 4],
  ['a workflow command', 503, '\n::error::owned\u001b]0;x\u0007', 4],
];

test.for(HOSTILE)(
  'a hostile server, %s, is named and its bytes are spelled',
  async ([, status, body, expected]) => {
    const url = await standIn((_, response) => response.writeHead(status).end(body));
    const { exitCode, stdout, stderr } = await attach(url, temporaryProject());
    expect(exitCode).toBe(expected);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]|^::/m);
    expect(verdictOf(stdout)).toMatch(/^INCOMPLETE {2}lane attach-vllm: the readiness probe/);
  },
);

test('an interrupt ends the run with exit 4 and leaves a readable folder', async () => {
  const silent = await standIn(() => {});
  const cwd = temporaryProject();
  const child = execa(
    process.execPath,
    [join(REPOSITORY, 'harness/cli.ts'), 'run', '--lane', 'attach-vllm', '--out', 'run'],
    {
      cwd,
      env: { CI: '', PARITY_VLLM_URL: silent },
      reject: false,
    },
  );
  while (!existsSync(join(cwd, 'run/run.json'))) await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill('SIGINT');
  const { exitCode, stdout } = await child;
  expect(exitCode).toBe(4);
  expect(verdictOf(stdout)).toBe('INCOMPLETE  lane attach-vllm: interrupted (exit 4)');
  expect(JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'))).toMatchObject({
    status: 'incomplete',
    exitCode: 4,
  });
});
