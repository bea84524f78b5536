import type { ChatTokenizer } from '../oracle/tokenizer.ts';
import type { GoldenRow } from '../schemas/types.ts';

/** Ids in a row at most, so that a changed word is a small diff. */
const MAX_ROW = 16;
/** Runs of one id from this length on become one row with a count (the teleprompter's filler). */
const MIN_RUN = 4;

/** Ids as short rows with their text: broken after newlines, around special tokens, and where one id repeats. */
export function toRows(ids: readonly number[], tokenizer: ChatTokenizer): GoldenRow[] {
  const rows: GoldenRow[] = [];
  let row: number[] = [];
  const flush = (): void => {
    if (row.length > 0) rows.push([row, tokenizer.decode(row)]);
    row = [];
  };
  for (let at = 0; at < ids.length; ) {
    const id = ids[at] ?? 0;
    const run = runLength(ids, at);
    if (run >= MIN_RUN) {
      flush();
      rows.push([[id], tokenizer.decode([id]), run]);
      at += run;
      continue;
    }
    if (tokenizer.isSpecial(id)) flush();
    row.push(id);
    at++;
    const breaks = tokenizer.decode([id]).includes('\n');
    // A row may grow past its limit while it ends inside a character: its text would show U+FFFD.
    if (breaks || (row.length >= MAX_ROW && !tokenizer.decode(row).endsWith('\uFFFD'))) flush();
  }
  flush();
  return rows;
}

function runLength(ids: readonly number[], from: number): number {
  let end = from + 1;
  while (end < ids.length && ids[end] === ids[from]) end++;
  return end - from;
}

/** The ids of rows. */
export function fromRows(rows: readonly GoldenRow[]): number[] {
  return rows.flatMap(([ids, , repeats = 1]) =>
    repeats === 1 ? ids : Array<number[]>(repeats).fill(ids).flat(),
  );
}

/** Index of the first row whose text is not what its ids say, or -1. */
export function contradictingRow(rows: readonly GoldenRow[], tokenizer: ChatTokenizer): number {
  return rows.findIndex(
    ([ids, text]) => !ids.every((id) => tokenizer.knows(id)) || tokenizer.decode(ids) !== text,
  );
}
