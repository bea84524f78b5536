import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choiceOf, HELLO, type ScriptedServer, scriptedServer, told } from './fixtures.ts';
import { startEmbeddedServer } from './server.ts';

const PLAIN = 'Hello there.';
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });

describe('every answer', () => {
  test('says in its server header that it is emulated', async () => {
    for (const answer of [server.chat(hello()), fetch(server.url), server.chat({ messages: null })]) {
      expect((await answer).headers.get('server')).toBe('parity-embedded (emulation of nemo-rl-vllm)');
    }
  });

  test('keeps the connection', async () => {
    expect((await server.chat(hello())).headers.get('keep-alive')).toBe('timeout=120');
  });
});

describe('routes', () => {
  test.each(['/', '/health', '/v1/models', '/version', '/v1/tokenize', '/v1/completions'])(
    '%s is not there',
    async (path) => {
      expect(await told(fetch(server.url + path))).toBe('404 application/json {"detail":"Not Found"}');
    },
  );

  test('the chat route takes POST only', async () => {
    const answer = await fetch(`${server.url}/v1/chat/completions`);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(`${answer.status} ${await answer.text()}`).toBe('405 {"detail":"Method Not Allowed"}');
  });

  test('the documentation says what answers', async () => {
    expect(await told(fetch(`${server.url}/docs`))).toContain('an emulation of the nemo-rl-vllm chat server');
    expect(await told(fetch(`${server.url}/openapi.json`))).toContain('200 application/json {"openapi":');
  });
});

test('default template kwargs lie under those of the request', async () => {
  const off = new Map([['enable_thinking', false]]);
  const other = await scriptedServer([PLAIN, HELLO], { defaultChatTemplateKwargs: off });
  const said = await choiceOf(other.chat({ messages: [other.user(PLAIN, 'off')] }));
  expect([said.message.reasoning, said.message.content]).toEqual([null, PLAIN]);
  const on = { chat_template_kwargs: { enable_thinking: true } };
  const thought = await choiceOf(other.chat({ messages: [other.user(HELLO)], ...on }));
  expect(thought.message.reasoning).toBe('\nShort.\n');
  await other.close();
});

test('parsers and kinds that are not emulated are refused before anything runs', async () => {
  await expect(scriptedServer([], { parsers: { tool: 'qwen3', reasoning: null } })).rejects.toThrow(
    "does not emulate the tool parser 'qwen3'\n  it knows: hermes, qwen3_coder",
  );
  await expect(scriptedServer([], { parsers: { tool: null, reasoning: 'deepseek_r1' } })).rejects.toThrow(
    "does not emulate the reasoning parser 'deepseek_r1'\n  it knows: qwen3",
  );
  const unknown = JSON.parse('{"server":"constructor"}');
  await expect(startEmbeddedServer(unknown)).rejects.toThrow("no embedded server of kind 'constructor'");
});

test('a body above the cap is refused with 413', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024 + 1, ' ');
  expect(await told(server.post('/v1/chat/completions', body))).toBe(
    '413 text/plain; charset=utf-8 Too Large',
  );
});

test('a port that is taken is an error, and closing frees it', async () => {
  const first = await scriptedServer([]);
  const port = Number(new URL(first.url).port);
  await expect(scriptedServer([], { port })).rejects.toThrow(`127.0.0.1:${port}: cannot listen: EADDRINUSE`);
  await first.close();
  const second = await scriptedServer([], { port });
  expect(second.url).toBe(first.url);
  await second.close();
});
