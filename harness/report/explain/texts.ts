import { firstDifference } from '../../compare/difference.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { TextPair } from '../explain.ts';
import type { Judged } from './judged.ts';

export type TextField = 'content' | 'reasoning' | 'tool_calls';

interface Calls {
  tool_calls?: readonly { name: string; arguments: string }[] | null | undefined;
}

/** The texts of a field that differ, or all of them where none does. */
export function textPairs(field: TextField, { expected, turn }: Judged): TextPair[] {
  if (field !== 'tool_calls') return [pairOf(field, expected?.[field], turn[field])];
  const pairs = callPairs(expected ?? {}, turn);
  const differing = pairs.filter((pair) => pair.left !== pair.right);
  return differing.length > 0 ? differing.slice(0, 4) : pairs.slice(0, 4);
}

function callPairs({ tool_calls: left }: Calls, { tool_calls: right }: Calls): TextPair[] {
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  if (length === 0) return [pairOf('tool_calls', shape(left), shape(right))];
  return Array.from({ length }, (_, index) => [
    pairOf(`call ${index + 1} name`, left?.[index]?.name, right?.[index]?.name),
    pairOf(`call ${index + 1} arguments`, left?.[index]?.arguments, right?.[index]?.arguments),
  ]).flat();
}

const shape = (calls: Calls['tool_calls']): string | null | undefined =>
  calls === null || calls === undefined ? calls : 'no calls';

function pairOf(what: string, left: string | null | undefined, right: string | null | undefined): TextPair {
  const both = typeof left === 'string' && typeof right === 'string';
  return { what, left, right, index: both ? firstDifference(left, right) : undefined };
}

/**
 * The index of the generated id at which a shown text stands when it is read up to `index`; undefined where the text is not in
 * the generation as it is. Calls are printed anew by the servers, so a call is found by its tag.
 */
export function generatedAt(
  tokenizer: ChatTokenizer,
  ids: readonly number[],
  { what, left, right, index = 0 }: TextPair,
): number | undefined {
  const call = /^call (\d+)/.exec(what)?.[1];
  if (call !== undefined) return nthIndex(ids, CALL, Number(call));
  const text = tokenizer.decode(ids);
  for (const value of [right, left]) {
    if (typeof value !== 'string' || value === '') continue;
    // Content stands last, so a text that occurs twice is meant where it is last.
    const start = text.lastIndexOf(value);
    if (start !== -1) return idAt(tokenizer, ids, Buffer.byteLength(text.slice(0, start + index)));
    const before = value.slice(Math.max(0, index - 24), index);
    const near = before === '' ? -1 : text.lastIndexOf(before);
    if (near !== -1) return idAt(tokenizer, ids, Buffer.byteLength(text.slice(0, near + before.length)));
  }
  return undefined;
}

const CALL = 151657;

function nthIndex(ids: readonly number[], wanted: number, n: number): number | undefined {
  let seen = 0;
  const found = ids.findIndex((id) => id === wanted && ++seen === n);
  return found === -1 ? undefined : found;
}

function idAt(tokenizer: ChatTokenizer, ids: readonly number[], byte: number): number {
  let end = 0;
  const found = ids.findIndex((id) => {
    end += tokenizer.bytes([id]).length;
    return end > byte;
  });
  return found === -1 ? Math.max(0, ids.length - 1) : found;
}
