import { type Field, projectionOf } from '../domain.ts';
import { type CoreTurn, withStop } from '../goldens/codec.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { ProjectedMessage, Scenario, Transcript, TranscriptTurn } from '../schemas/types.ts';
import { checkArguments } from './arguments.ts';
import { nameCallInReasoning } from './call-in-reasoning.ts';
import { compareIds, compareTexts, type FieldDifference } from './difference.ts';
import { checkCallTypes, checkEnvelope } from './envelope.ts';
import { checkExpectation } from './expectations.ts';
import {
  checkReasoningField,
  compareCalls,
  compareGeneration,
  compareLogprobs,
  compareUsage,
  finishReasonFault,
} from './fields.ts';
import { checkConservation, checkContiguity, checkMessages } from './invariants.ts';
import type { Assertion, Compared, FieldResult } from './outcome.ts';
import { Roots } from './roots.ts';

/** What a golden says about one dialect's answers. */
export interface Expected {
  core: readonly (CoreTurn | undefined)[];
  /** Undefined where only the tokens are compared, as when another server kind's messages are recorded. */
  messages: readonly (ProjectedMessage | undefined)[] | undefined;
}

export interface JudgeInput {
  transcript: Transcript;
  /** Without it only the invariants are checked, as before recording. */
  expected: Expected | undefined;
  scenario: Scenario;
  oracle: Oracle;
  /** @default 'golden' */
  against?: string;
}

/** The named rewrites before comparison, with how often each was applied. */
export type NormaliserCounts = Record<'tool_call_id' | 'terminal_stop_id' | 'reasoning_field_name', number>;

export interface Judgement {
  assertions: Assertion[];
  normalisers: NormaliserCounts;
}

/** Judges a transcript, field by field and turn by turn. Pure; linear in the transcript's size. */
export function judge(input: JudgeInput): Judgement {
  const { transcript, expected, scenario, against = 'golden' } = input;
  const normalisers: NormaliserCounts = { tool_call_id: 0, terminal_stop_id: 0, reasoning_field_name: 0 };
  const assertions: Assertion[] = [];
  const roots = new Roots(transcript);
  for (let index = 0; index < scenario.turns.length; index++) {
    const turn = transcript.turns[index];
    const number = index + 1;
    const fields = turn
      ? turnFields(input, turn, transcript.turns[index - 1], normalisers)
      : new Map<Field, FieldResult>([['http_status', notAsked(expected !== undefined)]]);
    for (const [field, result] of fields) {
      const outcome = roots.place(number, field, result);
      assertions.push({
        lane: transcript.lane,
        scenario: transcript.scenario,
        turn: number,
        field,
        against,
        outcome,
      });
    }
  }
  return { assertions, normalisers };
}

const notAsked = (golden: boolean): FieldResult => ({
  difference: {
    index: null,
    expected: golden ? 'an answer' : 'a turn',
    actual: null,
    summary: 'the turn was not asked: the conversation ended before it',
  },
});

/** A turn that the other side has no answer to: silence there must not pass for agreement. */
const nothingExpected: FieldDifference = {
  index: null,
  expected: null,
  actual: 'an answer',
  summary: 'the other side has no answer to this turn that could be compared',
};

function turnFields(
  { transcript, expected, scenario, oracle }: JudgeInput,
  turn: TranscriptTurn,
  previous: TranscriptTurn | undefined,
  normalisers: NormaliserCounts,
): Map<Field, FieldResult> {
  const fields = new Map<Field, FieldResult>();
  const set = (field: Field, difference: FieldDifference | undefined, size: Partial<Compared> = {}): void => {
    fields.set(field, difference ? { difference } : { ids: 0, serverIds: 0, bytes: 0, ...size });
  };
  if (turn.outcome !== 'answered') {
    set('http_status', refusal(turn));
    return fields;
  }
  const core = expected?.core[turn.turn - 1];
  const message = expected?.messages?.[turn.turn - 1];
  if (expected && (!core || (expected.messages && !message))) {
    set('http_status', nothingExpected);
    return fields;
  }
  set('http_status', undefined);
  const kind = projectionOf(transcript);
  const ownMessage = transcript.projection !== undefined;
  const prompt = turn.prompt_token_ids;
  const generation = turn.generation_token_ids;
  const index = turn.turn - 1;
  const carries = scenario.echo?.ids !== 'none';
  const seen = carries ? carriedIds(transcript, previous, expected?.core[index - 1]) : undefined;
  const echoed = seen?.length ?? 0;

  if (!prompt) set('prompt_token_ids', missing('prompt_token_ids'));
  else {
    const difference = core && compareIds(core.prompt, prompt);
    // On a token lane we made and sent all of them.
    const serverIds = ownMessage ? 0 : Math.max(0, prompt.length - echoed);
    const compared = { ids: prompt.length, serverIds };
    set('prompt_token_ids', difference, core ? compared : {});
  }
  if (!generation) set('generation_token_ids', missing('generation_token_ids'));
  else {
    if (core && core.stop !== null) normalisers.terminal_stop_id++;
    const difference = core && compareGeneration(core, generation, transcript.eos);
    const compared = { ids: generation.length, serverIds: generation.length };
    set('generation_token_ids', difference, core ? compared : {});
  }
  const badCall = checkCallTypes(turn) ?? checkArguments(turn);
  const misplaced = checkEnvelope(turn);
  if (message) {
    // What our oracle named is not rewritten.
    if (turn.reasoning_field && !ownMessage) normalisers.reasoning_field_name++;
    if (!ownMessage) normalisers.tool_call_id += turn.tool_calls?.length ?? 0;
    const misnamed = checkReasoningField(turn, kind);
    set('reasoning', misnamed ?? nameCallInReasoning(compareTexts(message.reasoning, turn.reasoning), turn), {
      bytes: size(turn.reasoning),
    });
    set('tool_calls', badCall ?? compareCalls(message.tool_calls, turn.tool_calls), {
      bytes: (turn.tool_calls ?? []).reduce((sum, call) => sum + size(call.name) + size(call.arguments), 0),
    });
    set('content', misplaced ?? compareTexts(message.content, turn.content), { bytes: size(turn.content) });
  }
  if (!message && badCall) set('tool_calls', badCall);
  if (!message && misplaced) set('content', misplaced);
  const enginesFinish = ownMessage ? compareEngineFinish(turn, core, transcript.eos) : undefined;
  set('finish_reason', enginesFinish ?? compareFinish(turn, message, transcript.eos));
  set('usage', compareUsage(turn));
  set('logprobs', compareLogprobs(turn));
  if (seen) set('contiguity', checkContiguity(seen, turn));
  set('messages', checkMessages(turn, echoed, oracle));
  set('conservation', checkConservation(turn, kind, oracle));
  const expectation = scenario.turns[index]?.expect;
  if (expectation) set('expect', checkExpectation(turn, expectation, kind, oracle));
  return fields;
}

/** Ids that a spliced prompt must begin with: the lane's own history, or the golden's that was sent instead. */
function carriedIds(
  { history, continuation, eos }: Transcript,
  previous: TranscriptTurn | undefined,
  golden: CoreTurn | undefined,
): number[] | undefined {
  if (history !== 'spliced' || !previous) return undefined;
  if (continuation === 'golden' && golden) {
    return [...golden.prompt, ...(eos === 'kept' ? withStop(golden) : golden.generation)];
  }
  return [...(previous.prompt_token_ids ?? []), ...(previous.generation_token_ids ?? [])];
}

const size = (text: string | null | undefined): number => Buffer.byteLength(text ?? '');

function refusal(turn: TranscriptTurn): FieldDifference {
  const status = turn.http_status === undefined ? undefined : `status ${turn.http_status}`;
  const what = turn.outcome === 'no_answer' ? 'no answer' : status;
  return {
    index: null,
    expected: 200,
    actual: turn.http_status ?? null,
    summary: [what, turn.error].filter((part) => part !== undefined).join(': '),
  };
}

const missing = (field: string): FieldDifference => ({
  index: null,
  expected: 'a list of ids',
  actual: null,
  summary: `the answer has no list of ids in ${field}, which this server kind promises`,
});

function compareFinish(
  turn: TranscriptTurn,
  message: ProjectedMessage | undefined,
  eos: Transcript['eos'],
): FieldDifference | undefined {
  const actual = turn.finish_reason ?? null;
  if (message && message.finish_reason !== actual) {
    const summary = `${message.finish_reason} expected, ${actual} came`;
    return { index: null, expected: message.finish_reason, actual, summary };
  }
  const fault = finishReasonFault(turn, eos);
  return fault === undefined ? undefined : { index: null, expected: null, actual, summary: fault };
}

/** What a server that knows only ids says of the end: `stop` where a stop id came, `length` where the limit cut the reply. */
function compareEngineFinish(
  turn: TranscriptTurn,
  core: CoreTurn | undefined,
  eos: Transcript['eos'],
): FieldDifference | undefined {
  const actual = turn.engine_finish_reason ?? null;
  const expected = core && (core.stop === null ? 'length' : 'stop');
  if (expected && expected !== actual) {
    return { index: null, expected, actual, summary: `${expected} expected, ${actual} came from the server` };
  }
  const fault = finishReasonFault({ ...turn, finish_reason: actual, tool_calls: null }, eos);
  return fault === undefined ? undefined : { index: null, expected: null, actual, summary: fault };
}
