import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choiceOf, FAILED, json, type ScriptedServer, scriptedServer, told } from '../fixtures.ts';

const TEN = 'one two three four five six seven eight nine';
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([TEN], {
    server: 'nemo-rl-trtllm',
    parsers: { tool: 'qwen3', reasoning: null },
    sampling: { train: { temperature: 0.5, top_p: 1 }, validation: { temperature: 0, top_p: 1 } },
    trtllm: { topK: 20, maxNumTokens: 400 },
    maxModelLen: 500,
  });
});
afterAll(() => server.close());

/** Posts JSON text, since the spelling of numbers matters here. */
const post = (fields: string, messages = [server.user(TEN)]): Promise<Response> =>
  server.post('/v1/chat/completions', `{"messages":${JSON.stringify(messages)}${fields && `,${fields}`}}`);

describe('sampling', () => {
  test.each([
    '',
    '"temperature":null,"top_p":null,"top_k":null',
    '"temperature":0.5',
    '"temperature":5e-1',
    '"top_p":1',
    '"top_p":1.0',
    '"top_p":true',
    '"top_k":20',
    '"top_k":20.0',
  ])('%s is what the server samples with', async (fields) => {
    expect((await post(fields)).status).toBe(200);
  });

  test.each([
    '"temperature":0',
    '"temperature":"0.5"',
    '"temperature":NaN',
    '"temperature":[0.5]',
    '"top_p":0.9',
    '"top_p":false',
    '"top_k":-1',
    '"top_k":0',
    '"top_k":true',
    '"top_k":"20"',
  ])('%s is a 500', async (fields) => {
    expect(await told(post(fields))).toBe(FAILED);
  });

  test('the validation pair is not accepted', async () => {
    expect(await told(post('"temperature":0.0,"top_p":1.0'))).toBe(FAILED);
  });
});

describe('the token limit', () => {
  const generated = async (fields: string): Promise<number> =>
    (await choiceOf(post(fields))).message.generation_token_ids.length;

  test.each([
    ['"max_tokens":3', 3],
    ['"max_tokens":3,"max_completion_tokens":5', 3],
    ['"max_tokens":null,"max_completion_tokens":5', 5],
    ['"max_tokens":0,"max_completion_tokens":5', 5],
    ['"max_tokens":"","max_completion_tokens":5', 5],
    ['"max_tokens":3.9', 3],
    ['"max_tokens":"3"', 3],
    ['"max_tokens":" +1_0 "', 9],
    ['"max_tokens":true', 1],
    ['"max_tokens":1e9', 9],
    ['', 9],
    ['"max_tokens":0', 9],
    ['"max_tokens":[]', 9],
  ])('%s gives %d tokens', async (fields, count) => {
    expect(await generated(fields)).toBe(count);
  });

  test.each([
    '"max_tokens":-5',
    '"max_tokens":0.5',
    '"max_tokens":"0"',
    '"max_tokens":"many"',
    '"max_tokens":"3.9"',
    '"max_tokens":[3]',
    '"max_tokens":{"a":1}',
    '"max_tokens":NaN',
    '"max_tokens":Infinity',
  ])('%s is a 500', async (fields) => {
    expect(await told(post(fields))).toBe(FAILED);
  });
});

describe('a prompt', () => {
  const long = (words: number) => [{ role: 'user', content: 'a'.concat(' a'.repeat(words - 1)) }];
  const refused = (text: string): string =>
    `400 application/json {"error":"context length exceeded: ${text}"}`;

  test('that fills the window is refused, whatever the limit', async () => {
    const told500 = 'prompt (500 tokens) exhausted context window (500)';
    expect(await told(post('', long(492)))).toBe(refused(told500));
    expect(await told(post('"max_tokens":"many"', long(492)))).toBe(refused(told500));
  });

  test('that is longer than the engine takes is refused by the engine', async () => {
    const engine = 'The sum of prompt length (401) should not exceed max_num_tokens (400)';
    expect(await told(post('', long(393)))).toBe(refused(engine));
    const { usage, choices } = await json(await post('', long(392)));
    expect([usage.prompt_tokens, usage.completion_tokens, choices[0].finish_reason]).toEqual([
      400,
      100,
      'length',
    ]);
  });
});

describe('fields nobody reads', () => {
  test.each([
    '"n":2',
    '"stream":true',
    '"stop":["three"]',
    '"stop_token_ids":[2326]',
    '"model":5',
    '"tool_choice":"none"',
    '"min_tokens":50',
    '"ignore_eos":true',
    '"echo":true',
    '"add_generation_prompt":false',
    '"chat_template":"x"',
    '"required_prefix_token_ids":[1]',
  ])('%s changes nothing', async (field) => {
    const { choices, ...rest } = await json(await post(field));
    const [{ message, finish_reason }, ...others] = choices;
    expect([message.content, finish_reason, others, Object.keys(rest)]).toEqual([
      ...[TEN, 'stop', []],
      ['id', 'object', 'created', 'model', 'usage'],
    ]);
  });
});
