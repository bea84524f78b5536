import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLS, HELLO, type ScriptedServer, scriptedServer, TOOLS } from '../fixtures.ts';

const BACKWARDS = '<think></think><tool_call>{"arguments": {"a": 1}, "name": "date"}</tool_call>';
const TAGGED = '<think>a<|box_start|></think>b</think>c<|im_start|>';
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO, CALLS, TAGGED, BACKWARDS], { server: 'vllm-serve' });
});
afterAll(() => server.close());

async function events(body: Record<string, unknown>) {
  const response = await server.chat({ logprobs: false, stream: true, ...body });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)));
}
const hello = () => ({ messages: [server.user(HELLO)] });
const deltas = (chunks: Awaited<ReturnType<typeof events>>) =>
  chunks.map(({ choices }) => choices[0]?.delta ?? null);

describe('a stream', () => {
  test('ends with the fingerprint, or with usage where that is asked for', async () => {
    const chunks = await events(hello());
    expect(deltas(chunks)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning: '\n' },
      { reasoning: 'Short' },
      { reasoning: '.\n' },
      { content: '\n\n' },
      { content: 'Hello' },
      { content: '.' },
      {},
    ]);
    expect(chunks.filter((chunk) => 'system_fingerprint' in chunk)).toEqual([chunks.at(-1)]);
    const counted = await events({ ...hello(), stream_options: { include_usage: true } });
    expect(counted.at(-2)).not.toHaveProperty('system_fingerprint');
    expect(counted.at(-1).usage).toEqual({
      prompt_tokens: 262,
      total_tokens: 271,
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 3 },
    });
  });

  test('can say usage with every chunk', async () => {
    const stream_options = { include_usage: true, continuous_usage_stats: true };
    const chunks = await events({ ...hello(), stream_options });
    expect(chunks.map(({ usage }) => usage.completion_tokens)).toEqual([0, 2, 3, 4, 6, 7, 8, 9, 9]);
  });

  test('sends every token once log-probs or ids are asked for', async () => {
    const withLogprobs = await events({ ...hello(), logprobs: true });
    expect(withLogprobs.flatMap(({ choices }) => choices[0].logprobs?.content ?? [])).toHaveLength(9);
    const withIds = await events({ ...hello(), return_token_ids: true });
    expect(withIds.flatMap(({ choices }) => choices[0].token_ids ?? [])).toHaveLength(9);
    expect(withIds[0].prompt_token_ids).toHaveLength(262);
  });

  test('spells nulls beside calls and for hidden reasoning', async () => {
    const body = { messages: [server.user(CALLS)], tools: TOOLS, include_reasoning: false };
    const calls = deltas(await events(body)).filter((delta) => delta?.tool_calls);
    expect(calls[0]).toMatchObject({ content: null, reasoning: null });
    const parts = calls.flatMap(({ tool_calls }) => tool_calls);
    const spelled = (index: number) =>
      parts
        .filter((part) => part.index === index)
        .map((part) => part.function.arguments ?? '')
        .join('');
    expect([spelled(0), spelled(1)]).toEqual(['{"z":"Zürich"}', '{}']);
  });

  test('takes nothing back of arguments that stand before the name', async () => {
    const body = { messages: [server.user(BACKWARDS)], tools: TOOLS };
    const parts = deltas(await events(body)).flatMap((delta) => delta?.tool_calls ?? []);
    const spelled = parts.map((part) => part.function.arguments ?? '').join('');
    expect(spelled).toBe('{"a": 1}, "name": "date"');
  });

  test('gives out after reasoning what an answer at once leaves out', async () => {
    const body = { messages: [server.user(TAGGED)] };
    const parts = deltas(await events(body));
    const joined = (key: string) => parts.map((delta) => delta?.[key] ?? '').join('');
    expect([joined('reasoning'), joined('content')]).toEqual(['a', 'b</think>c<|im_start|>']);
  });

  test('gives out a text up to a stop string and no further', async () => {
    const parts = deltas(await events({ ...hello(), stop: ['.'] }));
    expect(parts.map((delta) => delta?.reasoning ?? '').join('')).toBe('\nShort');
  });
});
