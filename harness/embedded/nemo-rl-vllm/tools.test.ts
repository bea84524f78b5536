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

const JSON_REPLY = '{"city": "Oslo"}';
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO, CALLS, JSON_REPLY]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });
const calls = () => ({ messages: [server.user(CALLS)], tools: TOOLS });

describe('tools and tool choice', () => {
  const refusal = (msg: string, parameter: string) => ({
    type: 'value_error',
    loc: ['body'],
    msg: `Value error, ${msg} (parameter=${parameter})`,
    ctx: { error: { parameter, value: null } },
  });

  test.each([
    [
      { tools: [] },
      refusal(
        '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.',
        'tools',
      ),
    ],
    [{ tool_choice: 'auto' }, refusal('When using `tool_choice`, `tools` must be set.', 'tool_choice')],
    [
      { tools: TOOLS, tool_choice: 'any' },
      refusal(
        'Invalid value for `tool_choice`: any! Only named tools, "none", "auto" or "required" are supported.',
        'tool_choice',
      ),
    ],
    [
      { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'f' } } },
      refusal(
        'The tool specified in `tool_choice` does not match any of the specified `tools`',
        'tool_choice',
      ),
    ],
    [
      { stream_options: { include_usage: true } },
      refusal('Stream options can only be defined when `stream=True`.', 'stream_options'),
    ],
  ])('%o is a 422 that echoes the whole body', async (fields, expected) => {
    const response = await server.chat({ ...hello(), ...fields });
    expect(response.status).toBe(422);
    const [entry] = (await json(response)).detail;
    expect(entry).toMatchObject(expected);
    expect(entry.input.messages).toHaveLength(1);
  });

  test('calls come with arguments as Python prints them', async () => {
    const choice = await choiceOf(server.chat(calls()));
    expect(choice.finish_reason).toBe('tool_calls');
    expect(choice.message.content).toBeNull();
    expect(choice.message.tool_calls.map((call: { function: unknown }) => call.function)).toEqual([
      { name: 'date', arguments: '{"z": "Zürich"}' },
      { name: 'date', arguments: '{}' },
    ]);
    expect(choice.message.tool_calls[0].id).toMatch(/^chatcmpl-tool-[0-9a-f]{16}$/);
  });

  test('parallel_tool_calls: false shows the first call only, the ids hold both', async () => {
    const both = await choiceOf(server.chat(calls()));
    const first = await choiceOf(server.chat({ ...calls(), parallel_tool_calls: false }));
    expect(first.message.tool_calls).toHaveLength(1);
    expect(first.message.generation_token_ids).toEqual(both.message.generation_token_ids);
  });

  test('tool_choice none leaves the text in content, with the tools in the prompt', async () => {
    const auto = await choiceOf(server.chat(calls()));
    const none = await choiceOf(server.chat({ ...calls(), tool_choice: 'none' }));
    expect(none.message.content).toContain('<tool_call>');
    expect(none.finish_reason).toBe('stop');
    expect(none.message.prompt_token_ids).toEqual(auto.message.prompt_token_ids);
  });

  test('tool_choice null shows neither calls nor content', async () => {
    const { message, finish_reason } = await choiceOf(server.chat({ ...calls(), tool_choice: null }));
    expect([message.content, 'tool_calls' in message, finish_reason]).toEqual([null, false, 'stop']);
  });

  test('without tools a call stays in content', async () => {
    const { message } = await choiceOf(server.chat({ messages: [server.user(CALLS)] }));
    expect(message.content).toContain('<tool_call>');
  });

  test('a cut behind a complete call is still tool_calls', async () => {
    const whole = await choiceOf(server.chat(calls()));
    const max_tokens = whole.message.generation_token_ids.length - 1;
    const { finish_reason, message } = await choiceOf(server.chat({ ...calls(), max_tokens }));
    expect([finish_reason, message.tool_calls.length]).toEqual(['tool_calls', 2]);
  });

  test('a grammar lets a reply through that keeps to it, and stops at 501 otherwise', async () => {
    const named = { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'date' } } };
    const off = { chat_template_kwargs: { enable_thinking: false } };
    const kept = await choiceOf(
      server.chat({ messages: [server.user(JSON_REPLY, 'off')], ...named, ...off }),
    );
    expect([kept.finish_reason, kept.message.content]).toEqual(['stop', '']);
    expect(kept.message.tool_calls[0].function).toEqual({ name: 'date', arguments: JSON_REPLY });
    expect(await told(server.chat({ ...hello(), response_format: { type: 'json_object' } }))).toBe(
      '501 application/json {"detail":"parity-embedded does not emulate grammar-guided decoding"}',
    );
  });
});
