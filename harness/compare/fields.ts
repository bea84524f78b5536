import type { DialectName } from '../domain.ts';
import type { CoreTurn } from '../goldens/codec.ts';
import { withStop } from '../goldens/codec.ts';
import { STOP_IDS } from '../oracle/tokenizer.ts';
import type { GoldenCall, ProjectedMessage, ToolCall, Transcript, TranscriptTurn } from '../schemas/types.ts';
import { compareIds, compareTexts, type FieldDifference } from './difference.ts';

/** Generated ids against a golden's core: the terminal stop id is expected only where the lane promises to keep it. */
export function compareGeneration(
  core: CoreTurn,
  actual: readonly number[],
  eos: Transcript['eos'],
): FieldDifference | undefined {
  return compareIds(eos === 'kept' ? withStop(core) : core.generation, actual);
}

/** Calls in order: count, names, then argument text bitwise. The random call id is no part of it. */
export function compareCalls(
  expected: ProjectedMessage['tool_calls'],
  actual: TranscriptTurn['tool_calls'],
): FieldDifference | undefined {
  if (!expected || !actual) {
    if (expected === actual) return undefined;
    return differentCalls(
      expected,
      actual,
      null,
      `${nameCalls(expected)} expected, ${nameCalls(actual)} came`,
    );
  }
  for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
    const wanted = expected[index];
    const got = actual[index];
    if (!wanted || !got) {
      return differentCalls(
        expected,
        actual,
        index,
        `${nameCalls(expected)} expected, ${nameCalls(actual)} came`,
      );
    }
    if (wanted.name !== got.name) {
      return differentCalls(
        expected,
        actual,
        index,
        `call ${index + 1} is ${got.name}, expected ${wanted.name}`,
      );
    }
    const difference = compareTexts(wanted.arguments, got.arguments);
    if (difference)
      return {
        ...difference,
        summary: `arguments of call ${index + 1} (${got.name}): ${difference.summary}`,
      };
  }
  return undefined;
}

const differentCalls = (
  expected: ProjectedMessage['tool_calls'],
  actual: TranscriptTurn['tool_calls'],
  index: number | null,
  summary: string,
): FieldDifference => ({ index, expected: expected ?? null, actual: bare(actual), summary });

const bare = (calls: TranscriptTurn['tool_calls']): GoldenCall[] | null =>
  calls ? calls.map(({ name, arguments: text }) => ({ name, arguments: text })) : null;

function nameCalls(calls: readonly (GoldenCall | ToolCall)[] | null | undefined): string {
  if (calls === undefined) return 'no `tool_calls` key';
  if (calls === null) return 'null';
  if (calls.length === 0) return 'an empty list';
  return `${calls.length} ${calls.length === 1 ? 'call' : 'calls'} (${calls.map(({ name }) => name).join(', ')})`;
}

/** Why a finish reason cannot be right, whatever a golden says. */
export function finishReasonFault(turn: TranscriptTurn, eos: Transcript['eos']): string | undefined {
  const {
    finish_reason: reason,
    tool_calls: calls,
    generation_token_ids: ids = [],
    max_tokens: limit,
  } = turn;
  if (reason !== 'stop' && reason !== 'length' && reason !== 'tool_calls') {
    return `finish_reason is ${JSON.stringify(reason)}`;
  }
  const called = (calls ?? []).length > 0;
  if (called !== (reason === 'tool_calls')) {
    return called
      ? `calls came, but finish_reason is ${reason}`
      : 'finish_reason is tool_calls without a call';
  }
  if (eos === 'trimmed' || called) return undefined;
  const stopped = STOP_IDS.has(ids.at(-1) ?? -1);
  if (reason === 'length' && stopped) return 'finish_reason is length, but the last id is a stop id';
  if (reason === 'stop' && !stopped && ids.length >= limit) {
    return `finish_reason is stop, but ${ids.length} ids reached the limit of ${limit}`;
  }
  return undefined;
}

/** Name under which each server kind sends reasoning; between kinds the name is normalised, within one it is promised. */
const REASONING_FIELD: Partial<Record<DialectName, NonNullable<TranscriptTurn['reasoning_field']>>> = {
  'nemo-rl-vllm': 'reasoning',
  'nemo-rl-trtllm': 'reasoning_content',
  'vllm-serve': 'reasoning',
};

/** Reasoning that came under another name than its server kind gives it. */
export function checkReasoningField(turn: TranscriptTurn, server: DialectName): FieldDifference | undefined {
  const expected = REASONING_FIELD[server];
  const actual = turn.reasoning_field;
  if (expected === undefined || actual === undefined || actual === expected) return undefined;
  return {
    index: null,
    expected,
    actual,
    summary: `reasoning came as \`${actual}\`, ${server} sends \`${expected}\``,
  };
}

/** Usage must count the ids of the same answer. */
export function compareUsage(turn: TranscriptTurn): FieldDifference | undefined {
  const prompt = turn.prompt_token_ids?.length ?? 0;
  const completion = turn.generation_token_ids?.length ?? 0;
  const expected = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  const actual = turn.usage ?? null;
  const wrong = (['prompt_tokens', 'completion_tokens', 'total_tokens'] as const).find(
    (key) => actual?.[key] !== expected[key],
  );
  if (!wrong) return undefined;
  return {
    index: null,
    expected,
    actual,
    summary: `${wrong} is ${actual?.[wrong] ?? 'absent'}, the ids count ${expected[wrong]}`,
  };
}

/** Log-probs: one per generated id, finite, none above 0, and under greedy decoding never below an alternative. */
export function compareLogprobs(turn: TranscriptTurn): FieldDifference | undefined {
  const ids = turn.generation_token_ids ?? [];
  const logprobs = turn.logprobs;
  if (!logprobs)
    return { index: null, expected: ids.length, actual: null, summary: 'the answer has no log-probs' };
  if (logprobs.length !== ids.length) {
    return {
      index: Math.min(ids.length, logprobs.length),
      expected: ids.length,
      actual: logprobs.length,
      summary: `${logprobs.length} log-probs for ${ids.length} generated ids`,
    };
  }
  const bad = logprobs.indexOf(null);
  if (bad !== -1) {
    return {
      index: bad,
      expected: 'a finite number',
      actual: null,
      summary: `log-prob ${bad} is not a finite number`,
    };
  }
  const positive = logprobs.findIndex((value) => value !== null && value > 0);
  if (positive !== -1) {
    const actual = logprobs[positive];
    return {
      index: positive,
      expected: 'at most 0',
      actual,
      summary: `log-prob ${positive} is ${actual}, above 0`,
    };
  }
  for (const [index, alternatives] of (turn.top_logprobs ?? []).entries()) {
    const chosen = logprobs[index] ?? null;
    const better = alternatives.find(
      ({ logprob }) => logprob !== null && chosen !== null && logprob > chosen,
    );
    if (better) {
      return {
        index,
        expected: `at most ${chosen}`,
        actual: better,
        summary: `not greedy: at index ${index} the alternative ${better.token} has log-prob ${better.logprob}, the chosen id ${chosen}`,
      };
    }
  }
  return undefined;
}
