import { expect, test } from 'vitest';
import type { Transcript, TranscriptTurn } from '../schemas/types.ts';
import { expectedOf, goldenOf, healthyTranscript, oracle, scenario } from '../testing/transcripts.ts';
import { judge } from './judge.ts';

const expected = expectedOf(goldenOf(healthyTranscript()));

/** What judging an edited transcript finds: first causes, and what only follows. */
function findings(edit: (turns: TranscriptTurn[], transcript: Transcript) => void, golden = true): string[] {
  const transcript = healthyTranscript();
  edit(transcript.turns, transcript);
  const { assertions } = judge({ transcript, expected: golden ? expected : undefined, scenario, oracle });
  return assertions.flatMap(({ turn, field, outcome }) => {
    if (outcome.status === 'equal') return [];
    return [`${turn} ${field}${outcome.status === 'follows' ? ` <- ${outcome.from.split(':')[1]}` : ''}`];
  });
}

const turnOf = (turns: TranscriptTurn[], number: number): TranscriptTurn => {
  const turn = turns[number - 1];
  if (!turn) throw new Error(`no turn ${number}`);
  return turn;
};

test('a healthy transcript is equal, with and without a golden, and its size is counted', () => {
  expect(findings(() => {})).toEqual([]);
  expect(findings(() => {}, false)).toEqual([]);
  const { assertions, normalisers } = judge({ transcript: healthyTranscript(), expected, scenario, oracle });
  const ids = assertions
    .map(({ outcome }) => (outcome.status === 'equal' ? outcome.ids : 0))
    .filter((n) => n > 0);
  expect(ids).toEqual([17, 30, 67, 14]);
  expect(normalisers).toEqual({ tool_call_id: 1, terminal_stop_id: 2, reasoning_field_name: 2 });
});

test('who speaks is judged without a golden too', () => {
  expect(findings((t) => Object.assign(turnOf(t, 1), { role: 'user' }), false)).toEqual(['1 content']);
  expect(findings((t) => delete turnOf(t, 1).tool_calls?.[0]?.type, false)).toEqual(['1 tool_calls']);
});

const DEFECTS: [name: string, edit: (turns: TranscriptTurn[], transcript: Transcript) => void][] = [
  ['a flipped prompt id', (t) => turnOf(t, 1).prompt_token_ids?.splice(3, 1, 42)],
  ['a flipped generation id', (t) => turnOf(t, 1).generation_token_ids?.splice(3, 1, 42)],
  ['a trimmed stop id', (t) => turnOf(t, 2).generation_token_ids?.pop()],
  ['a changed content', (t) => Object.assign(turnOf(t, 2), { content: '\n\nIt is 11 degrees.' })],
  ['a stripped content', (t) => Object.assign(turnOf(t, 2), { content: 'It is 10 degrees.' })],
  ['an absent content', (t) => delete turnOf(t, 1).content],
  ['a lost call', (t) => delete turnOf(t, 1).tool_calls],
  ['an empty list of calls', (t) => Object.assign(turnOf(t, 2), { tool_calls: [] })],
  [
    'compact arguments',
    (t) => Object.assign(turnOf(t, 1).tool_calls?.[0] ?? {}, { arguments: '{"city":"Zürich"}' }),
  ],
  ['a message by the user', (t) => Object.assign(turnOf(t, 1), { role: 'user' })],
  ['a message by nobody', (t) => Object.assign(turnOf(t, 2), { role: null })],
  ['a second choice', (t) => Object.assign(turnOf(t, 2), { role: 'assistant', choice_index: 1 })],
  ['a call of another type', (t) => Object.assign(turnOf(t, 1).tool_calls?.[0] ?? {}, { type: 'custom' })],
  ['a call of no type', (t) => delete turnOf(t, 1).tool_calls?.[0]?.type],
  ['a wrong finish reason', (t) => Object.assign(turnOf(t, 2), { finish_reason: 'length' })],
  ['wrong usage', (t) => Object.assign(turnOf(t, 1).usage ?? {}, { completion_tokens: 1 })],
  ['a short list of log-probs', (t) => turnOf(t, 1).logprobs?.pop()],
  ['a positive log-prob', (t) => turnOf(t, 1).logprobs?.splice(0, 1, 5)],
  ['an infinite log-prob', (t) => turnOf(t, 1).logprobs?.splice(0, 1, null)],
  [
    'an alternative above the choice',
    (t) => Object.assign(turnOf(t, 1), { top_logprobs: [[{ token: 'x', logprob: -1 }]] }),
  ],
  ['ids that are missing', (t) => delete turnOf(t, 1).prompt_token_ids],
  ['an error status', (t) => t.splice(1, 1, { ...turnOf(t, 2), outcome: 'refused', http_status: 500 })],
  ['a conversation that ends early', (t) => t.pop()],
];

test('every defect is found at its turn and field, and what follows is not asserted again', () => {
  const table = DEFECTS.map(([name, edit]) => `${name}: ${findings(edit).join(', ')}`);
  expect(table).toMatchInlineSnapshot(`
    [
      "a flipped prompt id: 1 prompt_token_ids, 1 messages <- 1 prompt_token_ids, 2 contiguity <- 1 prompt_token_ids",
      "a flipped generation id: 1 generation_token_ids, 1 conservation <- 1 generation_token_ids, 2 contiguity <- 1 generation_token_ids",
      "a trimmed stop id: 2 generation_token_ids, 2 usage <- 2 generation_token_ids, 2 logprobs <- 2 generation_token_ids",
      "a changed content: 2 content, 2 conservation <- 2 content",
      "a stripped content: 2 content",
      "an absent content: 1 content",
      "a lost call: 1 tool_calls, 1 finish_reason <- 1 tool_calls, 1 conservation <- 1 tool_calls",
      "an empty list of calls: 2 tool_calls",
      "compact arguments: 1 tool_calls",
      "a message by the user: 1 content",
      "a message by nobody: 2 content",
      "a second choice: 2 content",
      "a call of another type: 1 tool_calls",
      "a call of no type: 1 tool_calls",
      "a wrong finish reason: 2 finish_reason",
      "wrong usage: 1 usage",
      "a short list of log-probs: 1 logprobs",
      "a positive log-prob: 1 logprobs",
      "an infinite log-prob: 1 logprobs",
      "an alternative above the choice: 1 logprobs",
      "ids that are missing: 1 prompt_token_ids, 1 usage <- 1 prompt_token_ids, 1 messages <- 1 prompt_token_ids, 2 contiguity <- 1 prompt_token_ids",
      "an error status: 2 http_status",
      "a conversation that ends early: 2 http_status",
    ]
  `);
});

test('without a golden the invariants still see a defect', () => {
  const table = DEFECTS.map(([name, edit]) => `${name}: ${findings(edit, false).join(', ')}`);
  expect(table).toMatchInlineSnapshot(`
    [
      "a flipped prompt id: 1 messages, 2 contiguity",
      "a flipped generation id: 1 conservation, 2 contiguity",
      "a trimmed stop id: 2 usage, 2 logprobs",
      "a changed content: 2 conservation",
      "a stripped content: ",
      "an absent content: ",
      "a lost call: 1 finish_reason, 1 conservation",
      "an empty list of calls: ",
      "compact arguments: ",
      "a message by the user: 1 content",
      "a message by nobody: 2 content",
      "a second choice: 2 content",
      "a call of another type: 1 tool_calls",
      "a call of no type: 1 tool_calls",
      "a wrong finish reason: 2 finish_reason",
      "wrong usage: 1 usage",
      "a short list of log-probs: 1 logprobs",
      "a positive log-prob: 1 logprobs",
      "an infinite log-prob: 1 logprobs",
      "an alternative above the choice: 1 logprobs",
      "ids that are missing: 1 prompt_token_ids, 1 usage <- 1 prompt_token_ids, 1 messages <- 1 prompt_token_ids, 2 contiguity <- 1 prompt_token_ids",
      "an error status: 2 http_status",
      "a conversation that ends early: 2 http_status",
    ]
  `);
});

test('a turn that continues the golden starts afresh', () => {
  const edit = (turns: TranscriptTurn[], transcript: Transcript): void => {
    transcript.continuation = 'golden';
    turnOf(turns, 1).generation_token_ids?.splice(3, 1, 42);
    turnOf(turns, 2).content = 'x';
  };
  expect(findings(edit).filter((line) => !line.includes('<-'))).toEqual([
    '1 generation_token_ids',
    '2 content',
  ]);
});

test('a vanished user message is named', () => {
  const transcript = healthyTranscript();
  transcript.turns[0]?.sent.push({ role: 'user', content: 'And tomorrow?' });
  const { assertions } = judge({ transcript, expected: undefined, scenario, oracle });
  const [found] = assertions.filter(
    ({ field, outcome }) => field === 'messages' && outcome.status === 'differs',
  );
  expect(found?.outcome).toMatchObject({
    difference: { summary: 'the user message "And tomorrow?" is not in the prompt' },
  });
});
