import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerKind } from '../embedded/kinds.ts';
import type { EmbeddedServer } from '../embedded/server.ts';
import { startScripted } from '../probe/fixtures.ts';
import { type CliResult, parity, REPOSITORY, temporaryFolder, temporaryProject } from '../testing/cli.ts';
import { serve } from '../testing/serve.ts';
import { standIn } from '../testing/stand-in.ts';

const SCENARIOS = ['tools/weather', 'basics/library-hours', 'tokens/special-ids', 'tokens/end-of-text'];

/** A project with goldens of both histories and a lane of every embedded kind. */
function project(): string {
  const folder = temporaryProject(SCENARIOS);
  const goldens = SCENARIOS.map((name) => `goldens/teleprompter-256/rerendered/${name}.json`);
  for (const file of [...goldens, 'ci/lanes/embedded-vllm-serve.yaml', 'goldens/waivers.yaml']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(REPOSITORY, file), join(folder, file));
  }
  return folder;
}

/** Servers that many tests ask; each test's own command line asks them over HTTP. */
const shared = new Map<ServerKind, EmbeddedServer>();
beforeAll(async () => {
  for (const server of ['nemo-rl-vllm', 'nemo-rl-trtllm'] as const) {
    shared.set(server, await startScripted({ server }));
  }
});
afterAll(async () => {
  for (const server of shared.values()) await server.close();
});
const urlOf = (kind: ServerKind): string => shared.get(kind)?.url ?? '';

const probe = (url: string, cwd: string, ...args: string[]): Promise<CliResult> =>
  parity(['probe', '--url', url, ...args], { cwd });

const laneText = (cwd: string, url: string): string =>
  readFileSync(join(cwd, 'ci/lanes/probed.yaml'), 'utf8').replace(url, 'http://127.0.0.1:8000');

const KINDS = ['nemo-rl-vllm', 'nemo-rl-trtllm', 'vllm-serve'] as const;

test.for(KINDS)('the lane that probe writes for a %s server runs green', async (kind) => {
  const { url } = await serve('--server', kind);
  const cwd = project();
  const { exitCode, stderr } = await probe(url, cwd, '--out', 'ci/lanes/probed.yaml');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  await expect(laneText(cwd, url)).toMatchFileSnapshot(`probed/${kind}.yaml`);
  const run = await parity(['run', '--lane', 'probed'], { cwd });
  expect(run.stdout).toContain('EQUAL       every field of every turn equals its golden');
  // On TRT-LLM one of the four needs a waiver, which this lane has not.
  expect(run.stdout).toContain(
    `lane        probed (emulated): ${kind === 'nemo-rl-trtllm' ? 3 : 4} scenarios`,
  );
  expect(run.exitCode).toBe(0);
});

test('the report says what was measured, told and taken for granted', async () => {
  const url = urlOf('nemo-rl-trtllm');
  const { stdout } = await probe(url, project());
  expect(stdout.replaceAll(url, 'http://127.0.0.1:8000')).toMatchInlineSnapshot(`
    "probed http://127.0.0.1:8000: 44 questions

    measured, by what the server answered
      server kind       nemo-rl-trtllm
                        signs: ids on the message; message.reasoning_content; top_k -1 refused; temperature and
                          top_p not demanded; /health without /tokenize
      routes            present: /health /openapi.json
                        absent: /v1/models /version /v1/completions /v1/chat/completions/render /tokenize
                          /detokenize /generate /inference/v1/generate /metrics
      sampling gate     accepted: temperature 0.0, top_p 1.0 | temperature 0.0 alone | top_p 1.0 alone | neither
                          sent | without logprobs | without top_logprobs | top_logprobs null | top_logprobs 5
                        refused (500 text/plain that is no JSON): temperature 1.0, top_p 1.0 | temperature 0.2,
                          top_p 0.95 | temperature 0.6, top_p 0.95 | temperature 0.7, top_p 0.8 | temperature 0.0,
                          top_p 0.95 | top_k -1 | top_k 0 | top_k 1 | top_k 20
      error shapes      no JSON: 500 text/plain that is no JSON
                        messages a number: 500 text/plain that is no JSON
                        another model: 200 a chat completion: accepted
                        an unknown route: 404 FastAPI {"detail": "..."}
                        GET on the chat route: 405 FastAPI {"detail": "..."}
      token ids         with log-probs: message.prompt_token_ids, message.generation_token_ids
                        with return_token_ids: message.prompt_token_ids, message.generation_token_ids
      ids in, ids out   vllm-generate (/inference/v1/generate): 404 FastAPI {"detail": "..."}
                        vllm-completions (/v1/completions): 404 FastAPI {"detail": "..."}
                        sglang (/generate): 404 FastAPI {"detail": "..."}
                        trtllm-completions (/v1/completions): 404 FastAPI {"detail": "..."}
      reasoning field   reasoning_content
      chat template     prompt ids equal our own rendering with the Qwen3 tokenizer and its own template
      scripted model    yes, lag 256: 6 scripts came back id by id
      terminal stop id  trimmed
                        by a scripted reply
      tool parser       parses like qwen3
                        JSON call parsed, without newlines left as text, as tags left as text
      reasoning parser  parses like qwen3
                        <think>\\nTen.\\n</think> gives "\\nTen.\\n"
                        with text before the tag: "\\nTen.\\n"
                        without tags: reasoning "", content "It is 10 degrees."
      message           special tokens in content: kept as text
                        finish_reason of a call: "tool_calls"; content beside it: none
                        tool_calls without a call: absent
      keep-alive        the connection survives 500 ms of idling
                        the server says: timeout=5
      readiness         the lane's own readiness probe passes

    told by the server, not checked
      version           /openapi.json title: FastAPI
                        /openapi.json version: 0.1.0
                        server header: parity-embedded (emulation of nemo-rl-trtllm)
      emulation         the bundled emulation: no evidence about a real engine
      model in answers  teleprompter-256

    taken for granted: check before you trust the lane
      scenarios         those of the lane embedded-trtllm, which has this kind, model and parsers
                        left out, for that lane needs a waiver there: tokens/end-of-text

    not known
      model             /v1/models tells none; not sent

    lane file to paste as ci/lanes/probed.yaml

    name: probed
    about: the bundled emulation of a nemo-rl-trtllm server, as parity probe found it
    server: nemo-rl-trtllm
    model:
      name: teleprompter-256
      teleprompter:
        lag: 256
    attach:
      url: http://127.0.0.1:8000
    parsers:
      tool: qwen3
      reasoning: qwen3
    eos: trimmed
    scenarios:
      - "!prefilled"
      - "!xml"
      - "!tokens/end-of-text"

    next: parity run --lane probed"
  `);
});

test('outside a project what needs scripted replies is taken for granted, and said so', async () => {
  const url = urlOf('nemo-rl-vllm');
  const { exitCode, stdout } = await probe(url, temporaryFolder());
  expect(exitCode).toBe(0);
  expect(stdout.slice(stdout.indexOf('taken for granted')).replaceAll(url, 'URL')).toMatchInlineSnapshot(`
    "taken for granted: check before you trust the lane
      parsers           tool hermes, reasoning qwen3
                        taken for granted: no codebook here to script replies with
      scenarios         all: no lane here has this kind, model and parsers; goldens may have to be recorded

    not known
      model             /v1/models tells none; not sent

    lane file to paste as ci/lanes/probed.yaml

    name: probed
    about: "the bundled emulation of a nemo-rl-vllm server, as parity probe found it; taken for granted: parsers"
    server: nemo-rl-vllm
    model:
      name: teleprompter-256
    attach:
      url: URL
    parsers:
      tool: hermes
      reasoning: qwen3
    eos: kept

    next: parity record --lane probed --reason "first recording", for no golden of this model is known here"
  `);
});

test('a server without ids fits no lane', async () => {
  const { url } = await serve('--plant', 'ids-missing');
  const { exitCode, stdout } = await probe(url, project(), '--out', 'ci/lanes/probed.yaml');
  expect(exitCode).toBe(4);
  expect(stdout.split('\n').at(-1)).toMatchInlineSnapshot(`"no lane: no ids in chat answers"`);
});

test('nobody there is exit 3', async () => {
  const cwd = project();
  const { exitCode, stdout } = await probe('http://127.0.0.1:9', cwd, '--out', 'ci/lanes/probed.yaml');
  expect(exitCode).toBe(3);
  expect(stdout).toMatchInlineSnapshot(`
    "probed http://127.0.0.1:9: 2 questions

    no lane: /v1/chat/completions gave no answer: connection refused"
  `);
  expect(existsSync(join(cwd, 'ci/lanes/probed.yaml'))).toBe(false);
});

const WRONG: [what: string, args: string[], message: string][] = [
  ['no URL', ['--url', 'localhost'], '--url is no URL'],
  ['a file URL', ['--url', 'file:///etc/passwd'], '--url is no base URL of an HTTP server'],
  ['a URL with /v1', ['--url', 'http://127.0.0.1:9/v1'], '--url ends with /v1'],
  ['a key that is not set', ['--url', 'http://127.0.0.1:9', '--api-key-env', 'NO_KEY'], 'NO_KEY is not set'],
  [
    'a lane name with capitals',
    ['--url', 'http://127.0.0.1:9', '--out', 'ci/lanes/X.yaml'],
    '--out takes a file',
  ],
  ['a model with a line end', ['--url', 'http://127.0.0.1:9', '--model', 'a\nb'], '--model takes a name'],
  ['no time', ['--url', 'http://127.0.0.1:9', '--timeout', '0'], 'It must be above 0.'],
];

test.for(WRONG)('%s is wrong usage', async ([, args, message]) => {
  const { exitCode, stderr, stdout } = await parity(['probe', ...args], { cwd: temporaryFolder() });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('a lane file that is there is not written over, and nothing is asked', async () => {
  let asked = 0;
  const url = await standIn((_, response) => {
    asked++;
    response.end();
  });
  const cwd = project();
  const file = join(cwd, 'ci/lanes/mine.yaml');
  writeFileSync(file, 'mine');
  const { exitCode, stderr } = await probe(url, cwd, '--out', 'ci/lanes/mine.yaml');
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: ci/lanes/mine.yaml: is there already, and is not written over
      choose another name, or delete it first"
  `);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(asked).toBe(0);
});

type Answer = (request: IncomingMessage, response: ServerResponse, url: string) => void;

const HOSTILE: [what: string, answer: Answer, exitCode: number, problem: string][] = [
  [
    'huge bodies',
    (_, response) => response.end(Buffer.alloc(5 * 1024 * 1024, 0x20)),
    3,
    'gave no answer: the body is larger than 4194304 bytes',
  ],
  [
    'a slow drip',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    },
    3,
    'no whole answer within our own limit of 1 s',
  ],
  ['silence', () => {}, 3, 'within our own limit of 1 s'],
  [
    'wrong JSON',
    (_, response) => response.end('{"choices": [{"message": 3}]'),
    4,
    'no chat request is accepted',
  ],
  [
    'a bomb of brackets',
    (_, response) => response.end('['.repeat(200_000)),
    4,
    'no chat request is accepted',
  ],
  [
    'control characters everywhere',
    (_, response) =>
      response
        .writeHead(200, { server: 'x', 'content-type': 'text/plain' })
        .end('{"error": {"\u001b[2J": 1, "\u009b": 2, "\u202e": 3}}'),
    4,
    'no chat request is accepted',
  ],
  [
    'redirects to elsewhere',
    ({ url: path }, response, elsewhere) => response.writeHead(307, { location: elsewhere + path }).end(),
    4,
    'redirect to',
  ],
];

test('a server that falls silent midway is no answer, and is not asked for long', async () => {
  let asked = 0;
  const front = await standIn(async (request, response, body) => {
    if (++asked > 25) return;
    const init = request.method === 'GET' ? {} : { body };
    const answer = await fetch(urlOf('nemo-rl-trtllm') + request.url, {
      method: request.method ?? 'GET',
      ...init,
    });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  const { exitCode, stdout } = await probe(front, project(), '--timeout', '2');
  expect(stdout).toContain('not asked: 3 GET requests in a row got no answer');
  expect(stdout.split('\n').at(-1)).toBe(
    `no lane: ${front} cannot be reached: no whole answer within our own limit of 2 s`,
  );
  expect(exitCode).toBe(3);
  expect(asked).toBeLessThan(40);
});

test.for(HOSTILE)('a hostile server, %s, gets no lane', async ([, answer, expected, problem]) => {
  let followed = 0;
  const elsewhere = await standIn((_, response) => {
    followed++;
    response.end();
  });
  const url = await standIn((request, response) => answer(request, response, elsewhere));
  const cwd = project();
  const startedAt = performance.now();
  const { exitCode, stdout, stderr } = await probe(
    url,
    cwd,
    // A busy machine must not make an answer late where lateness is not the subject.
    ...['--timeout', problem.includes('limit of 1 s') ? '1' : '20', '--out', 'ci/lanes/probed.yaml'],
  );
  expect(stdout).toContain(problem);
  expect(exitCode).toBe(expected);
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(existsSync(join(cwd, 'ci/lanes/probed.yaml'))).toBe(false);
  expect(followed).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

/** Passes everything on to a server, but for what a test answers itself. */
const relay = (url: string, own: (request: IncomingMessage) => string | undefined): Promise<string> =>
  standIn(async ({ method = 'GET', url: path = '/', ...request }, response, body) => {
    const text = own({ method, url: path, ...request } as IncomingMessage); // only these are read
    if (text !== undefined) return void response.end(text);
    const init = method === 'GET' ? {} : { body, headers: { 'content-type': 'application/json' } };
    const answer = await fetch(url + path, { method, ...init });
    const server = answer.headers.get('server') ?? '';
    response.writeHead(answer.status, { server }).end(Buffer.from(await answer.arrayBuffer()));
  });

const NAMES = [
  'teleprompter-256\nattach: {url: "http://evil"}',
  '\u001b]0;owned\u0007\u202e',
  'x'.repeat(100_000),
];

test.for(NAMES)('a served name that no file may hold goes nowhere (%#)', async (name) => {
  const url = urlOf('nemo-rl-vllm');
  const models = JSON.stringify({ data: [{ id: name, max_model_len: -1 }] });
  const front = await relay(url, ({ url: path }) => (path === '/v1/models' ? models : undefined));
  const cwd = project();
  const { exitCode, stdout } = await probe(front, cwd, '--out', 'ci/lanes/probed.yaml');
  expect(exitCode).toBe(0);
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(stdout.length).toBeLessThan(8_000);
  expect(laneText(cwd, front)).toBe(
    readFileSync(join(REPOSITORY, 'harness/commands/probed/nemo-rl-vllm.yaml'), 'utf8'),
  );
});

test('a bearer token is sent, and only its variable is written', async () => {
  const url = urlOf('nemo-rl-trtllm');
  const seen = new Set<string | undefined>();
  const front = await standIn(async (request, response, body) => {
    seen.add(request.headers.authorization);
    const init = request.method === 'GET' ? {} : { body };
    const answer = await fetch(url + request.url, { method: request.method ?? 'GET', ...init });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  const cwd = project();
  const args = ['probe', '--url', front, '--api-key-env', 'MY_KEY', '--out', 'ci/lanes/probed.yaml'];
  const { exitCode, stdout, stderr } = await parity(args, { cwd, env: { MY_KEY: 'hunter2' } });
  expect(exitCode).toBe(0);
  expect([...seen]).toEqual(['Bearer hunter2']);
  expect(stdout + stderr + laneText(cwd, front)).not.toContain('hunter2');
  expect(laneText(cwd, front)).toContain('api_key_env: MY_KEY');
});

test('credentials of the URL are not written', async () => {
  const url = urlOf('nemo-rl-trtllm');
  const { exitCode, stdout } = await probe(url.replace('//', '//ada:hunter2@'), project());
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('hunter2');
  expect(stdout).toContain(`url: \${PARITY_PROBED_URL}`);
});

test('a server that closes every connection is told', async () => {
  const url = urlOf('nemo-rl-trtllm');
  const front = await standIn(async (request, response, body) => {
    const init = request.method === 'GET' ? {} : { body };
    const answer = await fetch(url + request.url, { method: request.method ?? 'GET', ...init });
    response.writeHead(answer.status, { connection: 'close' }).end(Buffer.from(await answer.arrayBuffer()));
  });
  const { stdout } = await probe(front, project());
  expect(stdout).toContain('a new connection for every request');
});
