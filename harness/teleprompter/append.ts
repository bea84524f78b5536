import { existsSync, renameSync, writeFileSync } from 'node:fs';
import type { ChatTokenizer } from '../oracle/tokenizer.ts';
import { alphabet } from './alphabet.ts';
import { type Codebook, CodebookError, loadCodebook } from './codebook.ts';
import { missingEntries } from './script.ts';

/** Which character of the alphabet pads the lines; any would do, but it may never change. */
const FILLER_INDEX = 5000;

/** The codebook with an entry for every token of the scripts, new ones at its end. */
export function extend(
  book: Codebook,
  scripts: readonly (readonly number[])[],
  tokenizer: ChatTokenizer,
): Codebook {
  const missing = missingEntries(scripts.flat(), book);
  if (missing.length === 0) return book;
  const used = new Set([book.filler, ...book.entries.map(({ char }) => char)]);
  const free = alphabet(tokenizer).filter((char) => !used.has(char));
  if (free.length < missing.length) throw new CodebookError('the alphabet has no character left');
  const added = missing.map((spoken, index) => {
    const char = free[index] ?? '';
    return { spoken, char, code: tokenizer.encode(char)[0] ?? 0 };
  });
  return { filler: book.filler, entries: [...book.entries, ...added] };
}

/**
 * Appends what scripts need to a codebook file and returns how many entries that were. Older entries stay as they are, so
 * no golden changes.
 */
export function extendFile(
  file: string,
  scripts: readonly (readonly number[])[],
  tokenizer: ChatTokenizer,
): number {
  const old = existsSync(file)
    ? loadCodebook(file, (text) => tokenizer.encode(text))
    : { filler: alphabet(tokenizer)[FILLER_INDEX] ?? '', entries: [] };
  const book = extend(old, scripts, tokenizer);
  const added = book.entries.length - old.entries.length;
  if (added === 0) return 0;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, printCodebook(book));
  renameSync(temporary, file);
  return added;
}

/** The file's form: one entry a line, so that an append is a diff of added lines. */
export function printCodebook({ filler, entries }: Codebook): string {
  const lines = entries.map(({ spoken, char }) => `    ${JSON.stringify([spoken, char])}`);
  return `{\n  "filler": ${JSON.stringify(filler)},\n  "entries": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
