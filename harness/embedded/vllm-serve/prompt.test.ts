import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../../oracle/tokenizer.ts';
import { HELLO, json, type ScriptedServer, scriptedServer } from '../fixtures.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO], { server: 'vllm-serve' });
});
afterAll(() => server.close());

const promptText = async (body: Record<string, unknown>): Promise<string> =>
  (await json(server.chat({ max_tokens: 1, return_prompt_text: true, ...body }))).prompt_text;
const user = { role: 'user', content: 'Hi' };

describe('the prompt', () => {
  test('is rendered from the messages, whatever ids they carry', async () => {
    const history = { role: 'assistant', content: 'Yes.', reasoning: 'Hm.' };
    const bare = await promptText({ messages: [user, history, user] });
    const carrying = { ...history, prompt_token_ids: [1, 2], generation_token_ids: [3, 151645] };
    expect(await promptText({ messages: [user, carrying, user] })).toBe(bare);
    expect(await promptText({ messages: [user, history, user], required_prefix_token_ids: [7] })).toBe(bare);
    expect(bare).not.toContain('Hm.');
  });

  test.each([
    ['{"city": Oslo', '{}'],
    ['[1]', '{}'],
    ['5', '{}'],
    ['null', '{}'],
    ['', '{}'],
    ['{"a":1e3}', '{"a": 1000.0}'],
  ])('shows call arguments %j as %s', async (given, shown) => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: given } };
    const messages = [user, { role: 'assistant', content: null, tool_calls: [call] }, user];
    expect(await promptText({ messages })).toContain(`{"name": "f", "arguments": ${shown}}`);
  });

  test('drops tool keys that vLLM does not know', async () => {
    const fn = { name: 'f', strict: true, extra: 1, parameters: { type: 'object', extra: 2 } };
    const text = await promptText({
      messages: [user],
      tools: [{ type: 'function', function: fn, extra: 3 }],
    });
    expect(text).toContain(
      '{"type": "function", "function": {"name": "f", "description": null, ' +
        '"parameters": {"type": "object", "extra": 2}, "strict": true}}',
    );
  });

  test.each([
    [[], ''],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'input_text', text: 'b' },
      ],
      'a\nb',
    ],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: '' },
      ],
      'a',
    ],
  ])('joins the parts %j', async (content, shown) => {
    expect(await promptText({ messages: [{ role: 'user', content }] })).toContain(`user\n${shown}<|im_end|>`);
  });
});

describe('/tokenize and /detokenize', () => {
  const post = async (path: string, body: unknown) => json(server.post(path, JSON.stringify(body)));

  test('turn texts into ids and back', async () => {
    const { count, tokens, max_model_len } = await post('/tokenize', { prompt: 'ab 🦩<think>' });
    expect([count, tokens, max_model_len]).toEqual([5, [370, 11162, 99, 102, 151667], 4096]);
    expect(await post('/detokenize', { tokens: [...tokens, 151645] })).toEqual({
      prompt: 'ab 🦩<think><|im_end|>',
    });
  });

  test('render messages without asking for what only a chat needs', async () => {
    const { tokens } = await post('/tokenize', {
      messages: [user],
      tool_choice: 'any',
      reasoning_effort: 'none',
    });
    expect(loadTokenizer().decode(tokens)).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n');
  });

  test.each([
    [
      '/tokenize',
      {},
      "2 validation errors:\n  {'type': 'missing', 'loc': 'body.prompt', 'msg': 'Field required', 'input': '<dict of 0 items>'}\n  {'type': 'missing', 'loc': 'body.messages', 'msg': 'Field required', 'input': '<dict of 0 items>'}",
    ],
    [
      '/detokenize',
      {},
      "1 validation error:\n  {'type': 'missing', 'loc': 'body.tokens', 'msg': 'Field required', 'input': '<dict of 0 items>'}",
    ],
    [
      '/detokenize',
      { tokens: [-1] },
      "1 validation error:\n  {'type': 'greater_than_equal', 'loc': 'body.tokens.0', 'msg': 'Input should be greater than or equal to 0', 'input': '-1', 'ctx': {'ge': 0}}",
    ],
  ])('%s refuses %j', async (path, body, message) => {
    expect((await post(path, body)).error.message).toBe(message);
  });
});
