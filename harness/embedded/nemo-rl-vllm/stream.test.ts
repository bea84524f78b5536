import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CALLS,
  choiceOf,
  FAILED,
  HELLO,
  type ScriptedServer,
  scriptedServer,
  TOOLS,
  told,
} from '../fixtures.ts';

// Tags spelled with ordinary tokens: the parsers read text.
const SPELLED = [
  { pieces: ['<', 'think', '>', 'A <', 'b', '</', 'think', '>', '1 <', ' 2', '<', 'tool', '_call', '>'] },
  '{"name": "date", "arguments": {}}</tool_call>',
];
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO, CALLS, SPELLED]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });
const calls = () => ({ messages: [server.user(CALLS)], tools: TOOLS });

describe('a stream', () => {
  const events = async (body: Record<string, unknown>) => {
    const response = await server.chat({ ...body, stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    return lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)));
  };

  test('sends deltas without the token fields of the message', async () => {
    const chunks = await events({ ...hello(), stream_options: { include_usage: true } });
    expect(chunks.map(({ choices }) => choices[0]?.delta ?? null)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning: '\n' },
      { reasoning: 'Short' },
      { reasoning: '.\n' },
      { content: '\n\n' },
      { content: 'Hello' },
      { content: '.' },
      {},
      null,
    ]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop');
    expect(chunks.at(-1).usage).toEqual({ prompt_tokens: 262, total_tokens: 271, completion_tokens: 9 });
  });

  test('drops the log-probs of empty deltas, unless all ids are asked for', async () => {
    const entries = (chunks: Awaited<ReturnType<typeof events>>) =>
      chunks.flatMap(({ choices }) => choices[0].logprobs?.content ?? []).length;
    const { message } = await choiceOf(server.chat(hello()));
    const all = message.generation_token_ids.length;
    expect(entries(await events(hello()))).toBe(all - 2);
    expect(entries(await events({ ...hello(), return_token_ids: true }))).toBe(all);
  });

  test('sends arguments in the model’s own spelling', async () => {
    const chunks = await events(calls());
    const parts = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
    const names = parts.filter((part) => part.id !== undefined).map((part) => part.function.name);
    const spelled = (index: number) =>
      parts
        .filter((part) => part.index === index)
        .map((part) => part.function.arguments ?? '')
        .join('');
    expect([names, spelled(0), spelled(1)]).toEqual([['date', 'date'], '{"z":"Zürich"}', '{}']);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  test('holds back what may become a tag, so that its parts join to the whole message', async () => {
    const body = { messages: [server.user(SPELLED)], tools: TOOLS };
    const { message } = await choiceOf(server.chat(body));
    const deltas = (await events(body)).map(({ choices }) => choices[0].delta);
    const joined = (key: string) => deltas.map((delta) => delta[key] ?? '').join('');
    expect([joined('reasoning'), joined('content')]).toEqual(['A <b', '1 < 2']);
    expect([message.reasoning, message.content]).toEqual(['A <b', '1 < 2']);
    expect(deltas.flatMap((delta) => delta.tool_calls ?? [])[0].function.name).toBe('date');
  });

  test('is refused like any request', async () => {
    expect(await told(server.chat({ ...hello(), stream: true, top_p: 0.5 }))).toBe(FAILED);
  });
});
