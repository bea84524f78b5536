import { expect, test } from 'vitest';
import { FIELDS } from '../domain.ts';
import type { Transcript, TranscriptTurn } from '../schemas/types.ts';
import { expectedOf, goldenOf, healthyTranscript, oracle, scenario } from '../testing/transcripts.ts';
import { judge } from './judge.ts';
import { isOracles } from './own.ts';

/** A healthy transcript of a token lane; its golden is the chat server's. */
function tokenTranscript(edit: (turns: TranscriptTurn[]) => void = () => {}): Transcript {
  const healthy = healthyTranscript();
  const turns = healthy.turns.map((turn) => ({ ...turn, engine_finish_reason: 'stop' }));
  edit(turns);
  return { ...healthy, server: 'tokens', projection: 'nemo-rl-vllm', turns };
}
const expected = expectedOf(goldenOf(healthyTranscript()));

function findings(edit: (turns: TranscriptTurn[]) => void, golden = true): string[] {
  const transcript = tokenTranscript(edit);
  const { assertions } = judge({ transcript, expected: golden ? expected : undefined, scenario, oracle });
  return assertions.flatMap(({ turn, field, outcome }) =>
    outcome.status === 'differs' ? [`${turn} ${field}: ${outcome.difference.summary}`] : [],
  );
}

test('a token lane is held against the projection of the kind that the oracle stands in for', () => {
  expect(findings(() => {})).toEqual([]);
  expect(findings(() => {}, false)).toEqual([]);
});

test('no prompt id counts for the server, and nothing that the oracle named as rewritten', () => {
  const { assertions, normalisers } = judge({ transcript: tokenTranscript(), expected, scenario, oracle });
  const own = assertions.flatMap(({ field, outcome }) =>
    outcome.status === 'equal' && outcome.serverIds > 0 ? [field] : [],
  );
  expect(new Set(own)).toEqual(new Set(['generation_token_ids']));
  expect(normalisers).toEqual({ tool_call_id: 0, terminal_stop_id: 2, reasoning_field_name: 0 });
  const transcript = tokenTranscript();
  const servers = FIELDS.filter((field) => !isOracles(transcript, field));
  expect(servers).toEqual(['http_status', 'generation_token_ids', 'finish_reason', 'usage', 'logprobs']);
  expect(FIELDS.filter((field) => isOracles({}, field))).toEqual([]);
});

const set = (turn: number, parts: Partial<TranscriptTurn>) => (turns: TranscriptTurn[]) => {
  Object.assign(turns[turn - 1] ?? {}, parts);
};

const DEFECTS: [name: string, edit: (turns: TranscriptTurn[]) => void, found: string][] = [
  [
    'a splice of our own that loses an id',
    (turns) => turns[1]?.prompt_token_ids?.splice(20, 1),
    '2 prompt_token_ids: first different id at index 20',
  ],
  [
    'a length where a stop id came, beside a call',
    set(1, { engine_finish_reason: 'length' }),
    '1 finish_reason: stop expected, length came from the server',
  ],
  [
    'a finish reason that no such server has',
    set(1, { engine_finish_reason: 'tool_calls' }),
    '1 finish_reason: stop expected, tool_calls came from the server',
  ],
  [
    'no finish reason of the server',
    set(2, { engine_finish_reason: null }),
    '2 finish_reason: stop expected, null came from the server',
  ],
  [
    'a turn that the oracle could not ask',
    (turns) => {
      const [, second] = turns;
      if (!second) return;
      const { http_status: _, ...asked } = second;
      turns[1] = { ...asked, outcome: 'refused', error: 'our own oracle cannot make this prompt: x' };
    },
    '2 http_status: our own oracle cannot make this prompt: x',
  ],
];

test.for(DEFECTS)('red: %s', ([, edit, found]) => {
  expect(findings(edit)[0]).toContain(found);
});

test('without a golden the ids say what the finish reason must be', () => {
  expect(findings(set(1, { engine_finish_reason: 'length' }), false)).toEqual([
    '1 finish_reason: finish_reason is length, but the last id is a stop id',
  ]);
});
