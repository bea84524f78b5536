import { diffArrays } from 'diff';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { Part, Token, TokenRow } from '../explain.ts';

/** Ids of one side with the origin of each in words. */
export interface NamedIds {
  ids: readonly number[];
  names: readonly string[];
}

const UNKNOWN = 'unknown';
/** Beyond this many edits two lists are not the same prompt, and aligning them says nothing. */
const MAX_EDITS = 2000;

/** Names for a server's ids, taken from ids whose origins are known, where both have the same id at the same place. */
export function named(ids: readonly number[], known: NamedIds | undefined): NamedIds {
  if (!known) return { ids, names: ids.map(() => UNKNOWN) };
  const names: string[] = [];
  for (const [mine, other] of aligned(ids, known.ids)) {
    if (mine === undefined) continue;
    names.push(other === undefined ? UNKNOWN : (known.names[other] ?? UNKNOWN));
  }
  return { ids, names };
}

/** One earlier turn of a side: where its reply begins in every later prompt that carries it, and the reply. */
export interface Reply {
  prompt: readonly number[];
  generation: readonly number[];
}

/** Names for ids that are a side's own earlier replies, carried on, where the oracle has no name because its prompt has other ids. */
export function withCarried({ ids, names }: NamedIds, replies: readonly (Reply | undefined)[]): NamedIds {
  const out = [...names];
  for (const [index, reply] of replies.entries()) {
    const start = reply?.prompt.length ?? 0;
    if (!reply?.generation.every((id, offset) => ids[start + offset] === id)) continue;
    for (const offset of reply.generation.keys()) {
      if (out[start + offset] === UNKNOWN) out[start + offset] = `assistant turn ${index + 1} (carried ids)`;
    }
  }
  return { ids, names: out };
}

type Pair = [one: number | undefined, other: number | undefined];

/** Indices of two lists side by side: equal ids share a pair, others stand alone. */
export function aligned(one: readonly number[], other: readonly number[]): Pair[] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  const pairs: Pair[] = Array.from({ length: start }, (_, index) => [index, index]);
  const parts = diffArrays(one.slice(start), other.slice(start), { maxEditLength: MAX_EDITS });
  let left = start;
  let right = start;
  for (const { added, removed, count } of parts ?? []) {
    for (let step = 0; step < count; step++) {
      pairs.push([added ? undefined : left++, removed ? undefined : right++]);
    }
  }
  while (left < one.length) pairs.push([left++, undefined]);
  while (right < other.length) pairs.push([undefined, right++]);
  return pairs;
}

const BEFORE = 8;
const AFTER = 10;

/**
 * Rows around index `at` of the left side: `>` at the first difference, `~` at later ones, `@` at `at` if it was asked for. An id that only one side has stands
 * in a row with one that only the other has, so that what follows is aligned again.
 */
export function rowsOf(
  tokenizer: ChatTokenizer,
  left: NamedIds,
  right: NamedIds,
  at: number,
  isAsked: boolean,
): TokenRow[] {
  const pairs = folded(aligned(left.ids, right.ids));
  const same = ([one, other]: Pair): boolean =>
    one !== undefined && other !== undefined && left.ids[one] === right.ids[other];
  const first = pairs.findIndex((pair) => !same(pair));
  const middle = pairs.findIndex(([one, other]) => (one ?? other ?? 0) >= at);
  const center = middle === -1 ? pairs.length : middle;
  const asked = isAsked ? center : undefined;
  const from = Math.max(0, center - BEFORE);
  return pairs.slice(from, center + AFTER).map((pair, offset) => {
    const [one, other] = pair;
    const row = from + offset;
    return {
      mark: same(pair) ? (row === asked ? '@' : '=') : row === first ? '>' : '~',
      left: one === undefined ? undefined : tokenOf(tokenizer, left.ids, one),
      right: other === undefined ? undefined : tokenOf(tokenizer, right.ids, other),
      origin: bothNames(
        one === undefined ? undefined : left.names[one],
        other === undefined ? undefined : right.names[other],
      ),
    };
  });
}

/** Ids that only the left side has, joined in order with those that only the right side has. */
function folded(pairs: readonly Pair[]): Pair[] {
  const out: Pair[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) out.push([removed[at], added[at]]);
    removed = [];
    added = [];
  };
  for (const [one, other] of pairs) {
    if (one !== undefined && other !== undefined) {
      flush();
      out.push([one, other]);
    } else if (one !== undefined) removed.push(one);
    else if (other !== undefined) added.push(other);
  }
  flush();
  return out;
}

const bothNames = (one: string | undefined, other: string | undefined): string =>
  one === undefined || other === undefined || one === other ? (other ?? one ?? '') : `${one} | ${other}`;

/** Rows of one list around an index, which is marked. */
export function oneSided(tokenizer: ChatTokenizer, { ids, names }: NamedIds, at: number): TokenRow[] {
  const from = Math.max(0, at - BEFORE);
  return ids.slice(from, at + AFTER).map((_, offset) => ({
    mark: from + offset === at ? '>' : ' ',
    left: undefined,
    right: tokenOf(tokenizer, ids, from + offset),
    origin: names[from + offset] ?? '',
  }));
}

function tokenOf(tokenizer: ChatTokenizer, ids: readonly number[], index: number): Token | undefined {
  const id = ids[index];
  if (id === undefined) return undefined;
  const bytes = tokenizer.bytes([id]);
  const text = tokenizer.decode([id]);
  return { index, id, bytes, text: Buffer.from(text).equals(bytes) ? text : undefined };
}

/** Runs of ids that have the same name; `at` is the index of the first difference, if there is one. */
export function partsOf({ names }: NamedIds, at: number | undefined): Part[] {
  const parts: Part[] = [];
  for (const [index, origin] of names.entries()) {
    const last = parts.at(-1);
    if (last?.origin === origin) last.count++;
    else parts.push({ from: index, count: 1, origin, hit: false });
  }
  if (at !== undefined) {
    const hit = parts.find(({ from, count }) => at >= from && at < from + count) ?? parts.at(-1);
    if (hit) hit.hit = true;
  }
  return parts;
}

const THINK = 151667;
const THINK_END = 151668;
const CALL = 151657;
const CALL_END = 151658;

/** Which part of a reply each generated id belongs to, by the tags' own ids; a tag belongs to what it opens or closes. */
export function regionsOf(ids: readonly number[], turn: number, stops: ReadonlySet<number>): NamedIds {
  let region = 'answer';
  let calls = 0;
  const names = ids.map((id, index) => {
    if (id === THINK) region = 'thought';
    if (id === CALL) {
      calls++;
      region = `call ${calls}`;
    }
    const name = stops.has(id) && index === ids.length - 1 ? 'stop id' : region;
    if (id === THINK_END || id === CALL_END) region = 'answer';
    return `reply ${turn}, ${name}`;
  });
  // A reply whose opening tag stands in the prompt, or is missing, begins inside the thought.
  const end = ids.indexOf(THINK_END);
  const begin = ids.indexOf(THINK);
  const inThought = end !== -1 && (begin === -1 || begin > end);
  return {
    ids,
    names: inThought ? names.map((name, index) => (index <= end ? `reply ${turn}, thought` : name)) : names,
  };
}
