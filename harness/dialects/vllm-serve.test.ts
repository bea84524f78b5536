import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS, HELLO, type ScriptedServer, scriptedServer, TOOLS } from '../embedded/fixtures.ts';
import { printJson } from '../json/print.ts';
import { fromJs, isObject, type Json, type JsonObject } from '../json/value.ts';
import type { TurnRequest } from './dialect.ts';
import { vllmServe } from './vllm-serve.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([CALLS, HELLO], { server: 'vllm-serve' });
});
afterAll(() => server.close());

const objects = (messages: readonly unknown[]): JsonObject[] => messages.map(fromJs).filter(isObject);
const turn = (messages: readonly JsonObject[], more: Partial<TurnRequest> = {}): TurnRequest => ({
  model: 'scripted',
  messages,
  tools: fromJs(TOOLS) as Json[], // a list stays one
  thinking: undefined,
  maxTokens: 200,
  topLogprobs: 0,
  ...more,
});

async function ask(request: TurnRequest) {
  const response = await server.post(vllmServe.path, printJson(vllmServe.request(request)));
  return vllmServe.read(response.status, await response.text());
}

test('a request spells out whatever a generation config could say otherwise', () => {
  const request = vllmServe.request(turn([], { tools: undefined, thinking: false }));
  expect(printJson(request)).toMatchInlineSnapshot(
    `"{"model":"scripted","messages":[],"chat_template_kwargs":{"enable_thinking":false},"temperature":0.0,"top_p":1.0,"max_tokens":200,"logprobs":true,"top_logprobs":0,"top_k":-1,"min_p":0.0,"repetition_penalty":1.0,"presence_penalty":0.0,"frequency_penalty":0.0,"return_token_ids":true,"return_tokens_as_token_ids":true}"`,
  );
});

test('an answer is read with the ids that stand beside the message', async () => {
  const { reading, message } = await ask(turn(objects([server.user(CALLS)]), { topLogprobs: 2 }));
  expect(reading).toMatchObject({
    outcome: 'answered',
    http_status: 200,
    content: null,
    reasoning: '\nTwo.\n',
    reasoning_field: 'reasoning',
    finish_reason: 'tool_calls',
  });
  expect(reading.tool_calls?.map(({ name, arguments: args }) => [name, args])).toEqual([
    ['date', '{"z": "Zürich"}'],
    ['date', '{}'],
  ]);
  expect(reading.prompt_token_ids).toHaveLength(reading.usage?.prompt_tokens ?? 0);
  expect(reading.generation_token_ids?.at(-1)).toBe(151645);
  expect(reading.logprobs).toHaveLength(reading.generation_token_ids?.length ?? 0);
  expect(reading.top_logprobs?.map(([own]) => own?.token)).toEqual(
    reading.generation_token_ids?.map((id) => `token_id:${id}`),
  );
  expect(message?.has('prompt_token_ids')).toBe(false);
});

test('the message sent back carries reasoning under both names and never ids, and is rendered anew', async () => {
  const first = objects([server.user(CALLS)]);
  const { reading, message } = await ask(turn(first));
  if (!message) throw new Error('the server did not answer');
  const echo = vllmServe.echo(message, 'spliced');
  expect([...echo.keys()]).toEqual(['role', 'content', 'reasoning', 'reasoning_content', 'tool_calls']);
  const results = objects([{ role: 'tool', tool_call_id: 'c', content: 'x' }, server.tool(HELLO)]);
  const second = await ask(turn([...first, echo, ...results]));
  expect(second.reading.content).toBe('\n\nHello.');
  const prefix = [...(reading.prompt_token_ids ?? []), ...(reading.generation_token_ids ?? [])];
  expect(second.reading.prompt_token_ids?.slice(0, prefix.length)).not.toEqual(prefix);
});

test('a refusal is a result, and what is no chat answer is unreadable', async () => {
  const refused = await ask(turn([], { model: 'other' }));
  expect(refused.reading).toMatchObject({ outcome: 'refused', http_status: 404 });
  expect(refused.reading.error).toContain('The model `other` does not exist');
  expect(vllmServe.read(200, '{"choices":[]}').reading.outcome).toBe('unreadable');
});

test('an answer without ids or log-probs is read without them', () => {
  const bare =
    '{"choices":[{"message":{"content":"x"},"token_ids":null,"logprobs":null}],"prompt_token_ids":null}';
  const { reading } = vllmServe.read(200, bare);
  expect([reading.prompt_token_ids, reading.generation_token_ids, reading.logprobs]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
