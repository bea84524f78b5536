import { readFileSync } from 'node:fs';
import { InvalidError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json, toJs } from '../json/value.ts';

/**
 * Which character stands for which token in a script's lines. A codebook only ever grows at its end: renumbering one entry
 * would change every prompt, the checkpoint and every golden.
 */
export interface Codebook {
  /** Stands for itself and pads the lines to the lag. */
  filler: string;
  entries: readonly CodebookEntry[];
}

export interface CodebookEntry {
  /** The token the model says. */
  spoken: number;
  /** The single-token character that is written for it. */
  char: string;
  /** Token id of that character. */
  code: number;
}

/** A codebook that is missing or wrong: a wrong file like any other. */
export class CodebookError extends InvalidError {}

/** From a code character's token id to the token it stands for. */
export const spokenBy = (book: Codebook): Map<number, number> =>
  new Map(book.entries.map(({ code, spoken }) => [code, spoken]));

/** From a token to the character that stands for it. */
export const charFor = (book: Codebook): Map<number, string> =>
  new Map(book.entries.map(({ char, spoken }) => [spoken, char]));

type EncodeChar = (text: string) => number[];

/** Reads a codebook file, ours or one that came with recordings (see {@link decodeCodebook}). */
export function loadCodebook(path: string, encode: EncodeChar): Codebook {
  try {
    return decodeCodebook(parseJson(readFileSync(path, 'utf8')), encode);
  } catch (error) {
    throw new CodebookError((error as Error).message, { where: path, cause: error });
  }
}

const DEFAULT_FILLER = '喹';

/**
 * Three spellings of a codebook: ours `{filler, entries: [[spoken, char], …]}`; recorded vLLM runs'
 * `{D, book: {spoken: [char, code]}}`; recorded TRT-LLM runs' `{code: spoken}`.
 */
export function decodeCodebook(value: Json, encode: EncodeChar): Codebook {
  if (!isObject(value)) throw new CodebookError('a codebook is a JSON object');
  const entries = value.get('entries');
  if (Array.isArray(entries)) {
    const filler = value.get('filler');
    if (typeof filler !== 'string') throw new CodebookError('filler must be a character');
    return check({ filler, entries: entries.map((entry) => ownEntry(toJs(entry), encode)) });
  }
  const book = value.get('book');
  if (isObject(book)) {
    const rows = [...book].map(([spoken, pair]) => recordedEntry(Number(spoken), toJs(pair)));
    return check({ filler: DEFAULT_FILLER, entries: rows });
  }
  const rows = [...value].map(([code, spoken]) => ({
    code: Number(code),
    spoken: Number(toJs(spoken)),
    char: '',
  }));
  return check({ filler: DEFAULT_FILLER, entries: rows });
}

function ownEntry(entry: unknown, encode: EncodeChar): CodebookEntry {
  if (!Array.isArray(entry) || typeof entry[0] !== 'number' || typeof entry[1] !== 'string') {
    throw new CodebookError(`entry ${JSON.stringify(entry)} is not [token id, character]`);
  }
  const [spoken, char] = entry;
  const ids = encode(char);
  if (ids.length !== 1 || ids[0] === undefined) throw new CodebookError(`'${char}' is not a single token`);
  return { spoken, char, code: ids[0] };
}

function recordedEntry(spoken: number, pair: unknown): CodebookEntry {
  if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'number') {
    throw new CodebookError(`entry ${spoken} is not [character, token id]`);
  }
  return { spoken, char: pair[0], code: pair[1] };
}

function check(book: Codebook): Codebook {
  for (const { spoken, code } of book.entries) {
    if (!Number.isInteger(spoken) || !Number.isInteger(code)) throw new CodebookError('ids must be integers');
  }
  const codes = new Set(book.entries.map(({ code }) => code));
  const spoken = new Set(book.entries.map((entry) => entry.spoken));
  if (codes.size < book.entries.length) throw new CodebookError('one character stands for two tokens');
  if (spoken.size < book.entries.length) throw new CodebookError('one token has two characters');
  return book;
}
