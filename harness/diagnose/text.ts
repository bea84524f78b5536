import type { ChatTokenizer } from '../oracle/tokenizer.ts';

const SHOWN = 60;
const AROUND = 4;

/** A text in quotes, cut to what a line of evidence holds. */
export function shown(text: string, limit = SHOWN): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return `"${oneLine(cut)}"`;
}

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Evidence is one line each. */
const oneLine = (text: string): string => text.replace(/[\n\r\t]/g, (char) => NAMED[char] ?? char);

/** The part of a text around a place. */
export const around = (text: string, at: number): string => shown(text.slice(Math.max(0, at - 20), at + 40));

/** An id with its text. */
export const named = (tokenizer: ChatTokenizer, id: number | undefined): string =>
  id === undefined ? 'the end' : `${id} "${oneLine(tokenizer.decode([id]))}"`;

/** A few ids around an index, with what they spell. */
export function idsAt(tokenizer: ChatTokenizer, ids: readonly number[], at: number): string {
  const part = ids.slice(Math.max(0, at - 2), at + AROUND);
  return `${part.join(' ')} = ${shown(tokenizer.decode(part))}`;
}

/** The n-th, as words: first, second, 3rd. */
export const ordinal = (n: number): string => ['first', 'second', 'third'][n - 1] ?? `${n}th`;

/** First index at which two sequences differ; their common length when one begins with the other. Linear. */
export function divergence(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a[at] === b[at]) at++;
  return at;
}

/** Whether `ids` begin with all of `start`, from `from` on. */
export const beginsWith = (ids: readonly number[], start: readonly number[], from = 0): boolean =>
  start.every((id, at) => ids[from + at] === id);
