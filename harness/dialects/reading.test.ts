import { describe, expect, test } from 'vitest';
import type { Reading } from './dialect.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';
import { vllmServe } from './vllm-serve.ts';

/** How a sound answer is read: nothing guessed, nothing mended. */
const DIALECTS = [nemoRlVllm, nemoRlTrtllm, vllmServe];

const body = (message: string, choice = '', top = ''): string =>
  `{"choices":[{"index":0,"message":{"role":"assistant"${message && `,${message}`}}${choice && `,${choice}`}}]${top && `,${top}`}}`;
const ENVELOPE = { role: 'assistant', choice_index: 0 };
const read = (text: string, dialect = nemoRlVllm): Reading => dialect.read(200, text).reading;
/** What a message's own fields become. */
function fieldsOf(message: string): Partial<Reading> {
  const { outcome, http_status, role, choice_index, ...rest } = read(body(message));
  expect({ outcome, http_status, role, choice_index }).toEqual({
    outcome: 'answered',
    http_status: 200,
    ...ENVELOPE,
  });
  return rest;
}

test('NeMo-RL’s servers put ids on the message, vllm serve beside it, and neither is looked for elsewhere', () => {
  const message = '"prompt_token_ids":[1,2],"generation_token_ids":[3],"generation_log_probs":[-0.5]';
  const choice = '"token_ids":[5],"logprobs":{"content":[{"token":"x","logprob":-0.25}]}';
  const text = body(message, choice, '"prompt_token_ids":[4]');
  const common = { outcome: 'answered', http_status: 200, ...ENVELOPE };
  const onMessage = { ...common, prompt_token_ids: [1, 2], generation_token_ids: [3], logprobs: [-0.5] };
  expect(read(text, nemoRlVllm)).toEqual(onMessage);
  expect(read(text, nemoRlTrtllm)).toEqual(onMessage);
  const beside = { prompt_token_ids: [4], generation_token_ids: [5], logprobs: [-0.25] };
  expect(read(text, vllmServe)).toEqual({ ...common, ...beside });
});

test('ids, times, names and keys nobody compares are not read', () => {
  const envelope = '"id":"chatcmpl-1","created":1,"model":"m","system_fingerprint":"f","metrics":null';
  const plain = body('"content":"a"');
  for (const dialect of DIALECTS) {
    const full = body('"content":"a","refusal":null,"audio":{}', '"stop_reason":1', envelope);
    expect(read(full, dialect)).toEqual(read(plain, dialect));
  }
});

describe('what came is kept apart:', () => {
  const call = '{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1.0}"}}';
  test.each([
    ['nothing', '', {}],
    ['null', '"content":null,"tool_calls":null', { content: null, tool_calls: null }],
    ['empty', '"content":"","tool_calls":[]', { content: '', tool_calls: [] }],
    ['blanks', '"content":" \\n"', { content: ' \n' }],
    ['reasoning', '"reasoning":"r"', { reasoning: 'r', reasoning_field: 'reasoning' }],
    ['reasoning_content', '"reasoning_content":""', { reasoning: '', reasoning_field: 'reasoning_content' }],
    ['null reasoning', '"reasoning":null', { reasoning: null, reasoning_field: 'reasoning' }],
    [
      'two reasonings, the first name of which counts',
      '"reasoning_content":"c","reasoning":"r"',
      { reasoning: 'r', reasoning_field: 'reasoning' },
    ],
    [
      'a call, its arguments as text',
      `"tool_calls":[${call}]`,
      { tool_calls: [{ id: 'c1', type: 'function', name: 'f', arguments: '{"a": 1.0}' }] },
    ],
    [
      'a call without id and type',
      '"tool_calls":[{"function":{"name":"f","arguments":""}}]',
      { tool_calls: [{ name: 'f', arguments: '' }] },
    ],
    ['half a surrogate pair', '"content":"\\ud83d"', { content: '\ud83d' }],
    [
      'empty ids',
      '"prompt_token_ids":[],"generation_token_ids":[]',
      { prompt_token_ids: [], generation_token_ids: [] },
    ],
  ])('%s', (_what, message, expected) => {
    expect(fieldsOf(message)).toEqual(expected);
  });
});

test.each([
  ['"role":"user"', '"index":7', { role: 'user', choice_index: 7 }],
  ['"role":null', '"index":"0"', { role: null, choice_index: null }],
  ['"content":""', '"finish_reason":"stop"', { role: null, choice_index: null }],
])('who speaks, and in which choice, is read: %s, %s', (message, choice, expected) => {
  for (const dialect of DIALECTS) {
    const text = `{"choices":[{"message":{${message}},${choice}}]}`;
    expect(read(text, dialect)).toMatchObject({ outcome: 'answered', ...expected });
  }
});

test.each([
  'null',
  '{}',
  '"12"',
  '[1,"2"]',
  '[1.0]',
  '[1e2]',
  '[-1]',
  '[-0]',
  '[null]',
  '[true]',
  '[[1]]',
  '[9007199254740993]',
  '[NaN]',
])('ids that are %s are no ids', (ids) => {
  expect(fieldsOf(`"prompt_token_ids":${ids},"generation_token_ids":[1,${ids}]`)).toEqual({});
});

test('a log-prob that is no finite number is null, at its place', () => {
  const { logprobs } = fieldsOf('"generation_log_probs":[-0.5,-Infinity,NaN,null,"x",-1e-7,1e999]');
  expect(logprobs).toEqual([-0.5, null, null, null, null, -1e-7, null]);
});

test('usage is read by name, and a count that is none is 0', () => {
  const { usage } = read(
    body('', '', '"usage":{"total_tokens":9,"prompt_tokens":7,"completion_tokens":2.5,"x":null}'),
  );
  expect(usage).toEqual({ prompt_tokens: 7, completion_tokens: 0, total_tokens: 9 });
});

test('alternatives are read where a server lists some', () => {
  const entry = (top: string) => `{"token":"token_id:1","logprob":-0.5,"top_logprobs":${top}}`;
  const of = (...entries: string[]) => read(body('', `"logprobs":{"content":[${entries}]}`)).top_logprobs;
  const some = '[{"token":"token_id:1","logprob":-0.5},{"token":"token_id:2","logprob":-Infinity}]';
  expect(of(entry(some), entry('[]'))).toEqual([
    [
      { token: 'token_id:1', logprob: -0.5 },
      { token: 'token_id:2', logprob: null },
    ],
    [],
  ]);
  expect(of(entry('[]'), entry('[]'))).toBeUndefined();
});

test('a field of a type it cannot have is unreadable, not read as something near it', () => {
  const read = (message: string): string =>
    String(nemoRlVllm.read(200, `{"choices":[{"message":${message}}]}`).reading.error);
  const rows = [
    '{"content":[{"type":"text","text":"x"}]}',
    '{"content":null,"reasoning":5}',
    '{"content":null,"tool_calls":{}}',
    '{"content":null,"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}',
    '{"content":null,"tool_calls":[{"function":{"name":null,"arguments":"{}"}}]}',
  ];
  expect(rows.map(read)).toMatchInlineSnapshot(`
    [
      "message.content is neither text nor null",
      "message.reasoning is neither text nor null",
      "message.tool_calls is no list",
      "message.tool_calls[0] has no function with name and arguments as text",
      "message.tool_calls[0] has no function with name and arguments as text",
    ]
  `);
});
