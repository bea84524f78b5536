import { withStop } from '../goldens/codec.ts';
import type { JsonObject } from '../json/value.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { sameIds } from '../oracle/same-ids.ts';
import type { ParsedMessage, Speaker } from '../oracle/speaker.ts';
import { STOP_IDS } from '../oracle/tokenizer.ts';
import type { ProjectedMessage, TranscriptTurn } from '../schemas/types.ts';
import type { Case, Message, Pair, Reference, Sides } from './case.ts';

const MESSAGE = new Set(['content', 'reasoning', 'tool_calls', 'conservation', 'expect']);
const PROMPT = new Set(['prompt_token_ids', 'contiguity', 'messages']);

/** A case with whom the oracle agrees with, and so which side is to be explained. */
export function sidesOf(given: Case): Sides {
  const { field, turn, core, message } = given;
  const prompts = { expected: core?.prompt, actual: turn?.prompt_token_ids };
  const generations = {
    expected: core && (given.eos === 'kept' ? withStop(core) : core.generation),
    actual: turn?.generation_token_ids,
  };
  const messages = { expected: message && projected(message), actual: turn && received(turn) };
  let reference: Reference = 'unknown';
  let opinion: Partial<{ prompt: readonly number[]; said: Message }> = {};
  if (given.selfMade) {
    // No vote: the oracle would be asked about itself.
  } else if (PROMPT.has(field)) {
    const prompt = renderedPrompt(given.oracle, given.speaker, given.request);
    reference = voteIds(prompt, prompts.expected, prompts.actual);
    opinion = prompt ? { prompt } : {};
  } else if (field === 'generation_token_ids') {
    reference = voteScript(given, generations.expected, generations.actual);
  } else if (MESSAGE.has(field)) {
    const parsed = parsedMessage(given, given.speaker);
    const said = parsed && fromParsed(parsed, turn);
    reference = said ? voteMessage(field, said, messages.expected, messages.actual) : 'unknown';
    opinion = said ? { said } : {};
  }
  const asTheirKind = bothAsTheirKind(given);
  const turned = reference === 'actual' && !asTheirKind;
  const pairOf = <T>(expected: T | undefined, actual: T | undefined): Pair<T> =>
    turned ? { good: actual, bad: expected } : { good: expected, bad: actual };
  const prompt = pairOf(prompts.expected ?? opinion.prompt, prompts.actual);
  const generation = pairOf(generations.expected, generations.actual);
  const said = pairOf(messages.expected ?? opinion.said, messages.actual);
  const names = turned ? { good: 'lane', bad: 'expected' } : { good: 'expected', bad: 'lane' };
  return { ...given, reference, asked: opinion.prompt, asTheirKind, names, prompt, generation, said };
}

/** The same with the sides exchanged. */
export function turnedRound(found: Sides): Sides {
  const turn = <T>({ good, bad }: Pair<T>): Pair<T> => ({ good: bad, bad: good });
  const { prompt, generation, said, names } = found;
  return {
    ...found,
    names: { good: names.bad, bad: names.good },
    prompt: turn(prompt),
    generation: turn(generation),
    said: turn(said),
  };
}

/**
 * Prompt ids by the oracle; undefined where it has no opinion. A request that it cannot render, for whatever reason, must not
 * take the diagnosis of another field down with it.
 */
export function renderedPrompt(
  oracle: Oracle,
  { server }: Speaker,
  request: JsonObject | undefined,
): number[] | undefined {
  if (!request) return undefined;
  try {
    return oracle.promptIds(server, request);
  } catch {
    return undefined;
  }
}

function voteIds(
  opinion: readonly number[] | undefined,
  expected: readonly number[] | undefined,
  actual: readonly number[] | undefined,
): Reference {
  if (!opinion || !actual) return 'unknown';
  if (!expected) return sameIds(opinion, actual) ? 'actual' : 'neither';
  if (sameIds(expected, actual)) return 'unknown';
  if (sameIds(opinion, expected)) return 'expected';
  return sameIds(opinion, actual) ? 'actual' : 'neither';
}

/** The other lane is of another server kind, and made of its request exactly what that kind makes of it. */
function eachItsOwn({ oracle, other }: Case, expected: readonly number[] | undefined): boolean {
  const theirs = other && renderedPrompt(oracle, other.speaker, other.request);
  return theirs !== undefined && expected !== undefined && sameIds(theirs, expected);
}

/** Whether each side gave what the oracle expects of its own server kind. */
function bothAsTheirKind(given: Case): boolean {
  const { other, oracle, speaker, request, turn, core, field, message } = given;
  if (given.selfMade || !other || !turn || other.speaker.server === speaker.server) return false;
  if (field === 'prompt_token_ids') {
    const own = renderedPrompt(oracle, speaker, request);
    const ids = turn.prompt_token_ids;
    return own !== undefined && ids !== undefined && sameIds(own, ids) && eachItsOwn(given, core?.prompt);
  }
  if (field !== 'content' && field !== 'reasoning' && field !== 'tool_calls') return false;
  const [mine, theirs] = [parsedMessage(given, speaker), parsedMessage(given, other.speaker)];
  if (!mine || !theirs || !message) return false;
  const said = [fromParsed(mine, turn), fromParsed(theirs, turn)] as const;
  return (
    fieldText(said[0], field) === fieldText(received(turn), field) &&
    fieldText(said[1], field) === fieldText(projected(message), field)
  );
}

/** What the scripted model says up to its first stop id or the limit, the stop id left out. */
function voteScript(
  { script, turn }: Case,
  expected: readonly number[] | undefined,
  actual: readonly number[] | undefined,
): Reference {
  if (!script || !expected || !actual || !turn) return 'unknown';
  const stop = script.findIndex((id) => STOP_IDS.has(id));
  const spoken = script.slice(0, stop === -1 ? script.length : stop).slice(0, turn.max_tokens);
  const bare = (ids: readonly number[]): readonly number[] =>
    STOP_IDS.has(ids.at(-1) ?? -1) ? ids.slice(0, -1) : ids;
  const [left, right] = [sameIds(bare(expected), spoken), sameIds(bare(actual), spoken)];
  if (left && right) return 'unknown';
  if (left) return 'expected';
  return right ? 'actual' : 'neither';
}

function voteMessage(
  field: string,
  opinion: Message,
  expected: Message | undefined,
  actual: Message | undefined,
): Reference {
  if (!actual) return 'unknown';
  const spelled = fieldText(opinion, field);
  const came = fieldText(actual, field);
  if (!expected) return spelled === came ? 'actual' : 'neither';
  const wanted = fieldText(expected, field);
  // Where both sides say the same, a finding is about the value itself and there is nobody to side with.
  if (wanted === came) return 'unknown';
  if (spelled === wanted) return 'expected';
  return spelled === came ? 'actual' : 'neither';
}

/** One field of a message, spelled; an absent value counts as null, which the oracle does not tell apart. */
function fieldText({ content, reasoning, calls }: Message, field: string): string {
  if (field === 'content') return JSON.stringify(content ?? null);
  if (field === 'reasoning') return JSON.stringify(reasoning ?? null);
  if (field === 'tool_calls') return JSON.stringify(calls && calls.length > 0 ? calls : null);
  return JSON.stringify([content || null, reasoning || null, calls && calls.length > 0 ? calls : null]);
}

/** What parsers of that kind make of the generated ids; undefined for those the oracle does not know. */
function parsedMessage({ oracle, turn, request }: Case, speaker: Speaker): ParsedMessage | undefined {
  const ids = turn?.generation_token_ids;
  if (!turn || !ids) return undefined;
  const tools = request?.get('tools');
  const definitions = Array.isArray(tools) ? tools : undefined;
  return oracle.parse(speaker, ids, { thinking: turn.thinking, tools: turn.tools, definitions });
}

const fromParsed = (
  { content, reasoning, calls }: ParsedMessage,
  turn: TranscriptTurn | undefined,
): Message => ({
  content,
  reasoning,
  calls: calls.length > 0 ? calls : undefined,
  finish: calls.length > 0 ? 'tool_calls' : turn?.finish_reason,
});

const projected = ({
  content,
  reasoning,
  tool_calls: calls,
  finish_reason: finish,
}: ProjectedMessage): Message => ({ content, reasoning, calls, finish });

const received = ({
  content,
  reasoning,
  tool_calls: calls,
  finish_reason: finish,
}: TranscriptTurn): Message => ({
  content,
  reasoning,
  calls: calls?.map(({ name, arguments: text }) => ({ name, arguments: text })) ?? calls,
  finish,
});
