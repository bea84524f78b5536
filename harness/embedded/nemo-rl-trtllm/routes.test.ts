import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILED, HELLO, type ScriptedServer, scriptedServer, told } from '../fixtures.ts';

const TRT = { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3', reasoning: 'qwen3' } } as const;
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO], TRT);
});
afterAll(() => server.close());

const asked = (path: string, method = 'GET') => fetch(server.url + path, { method, redirect: 'manual' });

describe('routes', () => {
  test('health is always ok, and answers GET alone', async () => {
    expect(await told(asked('/health'))).toBe('200 application/json {"status":"ok"}');
    const head = await asked('/health', 'HEAD');
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await told(asked('/health', 'POST'))).toBe('405 application/json {"detail":"Method Not Allowed"}');
  });

  test.each(['/', '/v1/models', '/version', '/tokenize', '/v1/completions'])(
    '%s is not there',
    async (path) => {
      expect(await told(asked(path))).toBe('404 application/json {"detail":"Not Found"}');
    },
  );

  test('a slash too many is a redirect, the query kept', async () => {
    const answer = await asked('/v1/chat/completions/?a=1', 'POST');
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([307, '', null]);
    expect(answer.headers.get('location')).toBe(`${server.url}/v1/chat/completions?a=1`);
  });

  test('the documentation says what answers, the schema is the real one', async () => {
    expect(await told(asked('/docs'))).toContain('an emulation of the nemo-rl-trtllm chat server');
    expect((await asked('/docs', 'HEAD')).status).toBe(200);
    expect(await told(asked('/openapi.json'))).toContain('"info":{"title":"FastAPI","version":"0.1.0"}');
  });

  test('every answer says that it is emulated, and an idle connection lives for five seconds', async () => {
    const { headers } = await asked('/health');
    expect(headers.get('server')).toBe('parity-embedded (emulation of nemo-rl-trtllm)');
    expect(headers.get('keep-alive')).toBe('timeout=5');
  });
});

describe('a body', () => {
  const hello = () => JSON.stringify({ messages: [server.user(HELLO)] });
  const post = (body: string | Buffer, type?: string) =>
    told(server.post('/v1/chat/completions', body, type));

  test.each([
    ['of another type', (text: string) => text, 'text/plain'],
    ['with a byte-order mark', (text: string) => `\uFEFF${text}`, 'application/json'],
    ['in UTF-16', (text: string) => Buffer.from(text, 'utf16le'), 'application/json'],
    [
      'in UTF-16 with a mark',
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      'application/json',
    ],
    [
      'with a repeated key, the last of which counts',
      (text: string) => text.replace('{', '{"messages":5,'),
      'application/json',
    ],
  ])('%s is read', async (_, spelled, type) => {
    expect(await post(spelled(hello()), type)).toContain('"content":"\\n\\nHello."');
  });

  test.each([
    ['that is empty', ''],
    ['cut short', '{"messages": ['],
    ['that is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['without messages', '{}'],
    ['with messages that are null', '{"messages": null}'],
    ['with no messages', '{"messages": []}'],
    ['with messages that are an object', '{"messages": {"role": "user"}}'],
    ['with a message that is a text', '{"messages": ["hello"]}'],
    ['with a message without a role', '{"messages": [{"content": "a"}]}'],
    ['with half a surrogate pair in a message', '{"messages": [{"role": "user", "content": "\\ud83d"}]}'],
  ])('%s is a 500', async (_, body) => {
    expect(await post(body)).toBe(FAILED);
  });

  test('with half a surrogate pair where nothing reads it is fine', async () => {
    const body = hello().replace('{', '{"model":"\\ud83d",');
    expect(await post(body)).toContain('200 application/json {"id":"chatcmpl-');
  });
});

test('parsers are found whatever their case, and refused before anything runs', async () => {
  for (const parsers of [
    { tool: 'Qwen3_Coder', reasoning: 'QWEN3' },
    { tool: null, reasoning: null },
  ]) {
    await (await scriptedServer([], { ...TRT, parsers })).close();
  }
  const refused = (parsers: { tool: string | null; reasoning: string | null }) =>
    expect(scriptedServer([], { ...TRT, parsers })).rejects;
  await refused({ tool: 'hermes', reasoning: null }).toThrow(
    "does not emulate the tool parser 'hermes'\n  it knows: qwen3, qwen3_coder",
  );
  await refused({ tool: null, reasoning: 'deepseek_r1' }).toThrow(
    "does not emulate the reasoning parser 'deepseek_r1'\n  it knows: deepseek-r1, qwen3, qwen3_5",
  );
});
