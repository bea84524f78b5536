import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CALLS,
  choiceOf,
  HELLO,
  json,
  type ScriptedServer,
  scriptedServer,
  TOOLS,
  told,
} from '../fixtures.ts';

const LISTED = '<think></think>[{"name": "date", "parameters": {}}]';
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO, CALLS, LISTED], { server: 'vllm-serve' });
});
afterAll(() => server.close());

const get = (path: string, method = 'GET') => fetch(server.url + path, { method });

describe('routes', () => {
  test('say what answers, and that it is alive', async () => {
    const health = await get('/health');
    expect([health.status, await health.text(), health.headers.get('content-type')]).toEqual([200, '', null]);
    expect(health.headers.get('server')).toBe('parity-embedded (emulation of vllm-serve)');
    expect(await told(get('/version'))).toBe('200 application/json {"version":"0.32.0"}');
    expect(await told(get('/docs'))).toContain('an emulation of the vllm-serve chat server');
  });

  test('list the one model', async () => {
    const { data } = await json(get('/v1/models'));
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ id: 'scripted', owned_by: 'vllm', max_model_len: 4096 });
  });

  test('take the methods that the real ones take', async () => {
    const refused = async (path: string, method: string) => {
      const response = await get(path, method);
      return [response.status, response.headers.get('allow')];
    };
    expect(await refused('/v1/chat/completions', 'GET')).toEqual([405, 'POST']);
    expect(await refused('/health', 'HEAD')).toEqual([405, 'GET']);
    expect(await told(get('/nope'))).toBe('404 application/json {"detail":"Not Found"}');
  });
});

describe('/v1/completions', () => {
  const complete = (body: unknown) => server.post('/v1/completions', JSON.stringify(body));

  test('continues texts and ids, with ids on request', async () => {
    const prompt = [[1, 2], [3]];
    const { choices, usage } = await json(complete({ prompt, max_tokens: 2, return_token_ids: true }));
    expect(
      choices.map((choice: Record<string, unknown>) => [choice.prompt_token_ids, choice.token_ids]),
    ).toEqual([
      [
        [1, 2],
        [1, 1],
      ],
      [[3], [3, 3]],
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 4 });
    const echoed = await json(complete({ prompt: ['a', 'b'], max_tokens: 1, echo: true, logprobs: 0 }));
    expect(echoed.choices.map(({ text }: { text: string }) => text)).toEqual(['aa', 'bb']);
    expect(echoed.choices[0].logprobs.tokens).toEqual(['a']);
  });

  test.each([
    [{}, 'Either prompt or prompt_embeds must be provided and non-empty. (parameter=prompt)'],
    [{ prompt: [] }, 'You must pass at least one prompt'],
    [{ prompt: [151936] }, 'Token id 151936 is out of vocabulary'],
    [{ prompt: 'x', max_tokens: 0 }, 'max_tokens must be at least 1, got 0. (parameter=max_tokens, value=0)'],
  ])('refuses %j', async (body, message) => {
    expect((await json(complete(body))).error.message).toBe(message);
  });

  test('does not pretend to stream', async () => {
    expect((await complete({ prompt: 'x', stream: true })).status).toBe(501);
  });
});

describe('a grammar', () => {
  const hello = () => ({ messages: [server.user(HELLO)] });
  const REFUSED =
    '501 application/json {"detail":"parity-embedded does not emulate grammar-guided decoding"}';

  test('begins where thinking ends', async () => {
    const guided = { ...hello(), response_format: { type: 'json_object' } };
    expect((await choiceOf(server.chat({ ...guided, max_tokens: 4 }))).message.reasoning).toBe('\nShort.\n');
    expect(await told(server.chat(guided))).toBe(REFUSED);
  });

  test.each([{ tool_choice: 'required' }, { parallel_tool_calls: false }])(
    'of %j is not guessed',
    async (fields) => {
      const body = { messages: [server.user(CALLS)], tools: TOOLS };
      expect((await choiceOf(server.chat(body))).message.tool_calls).toHaveLength(2);
      expect(await told(server.chat({ ...body, ...fields }))).toBe(REFUSED);
    },
  );

  test('of JSON lets a reply through that is JSON, and one of a forced call does not', async () => {
    const body = { messages: [server.user(LISTED)], tools: TOOLS };
    const guided = { ...body, response_format: { type: 'json_object' } };
    expect((await choiceOf(server.chat(guided))).message.content).toContain('"date"');
    expect(await told(server.chat({ ...body, tool_choice: 'required' }))).toBe(REFUSED);
  });

  test('for one call lets a reply through that calls nothing', async () => {
    const body = { ...hello(), tools: TOOLS, parallel_tool_calls: false };
    expect((await choiceOf(server.chat(body))).message.content).toBe('\n\nHello.');
  });
});
