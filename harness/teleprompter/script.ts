import { type ChatTokenizer, EOS } from '../oracle/tokenizer.ts';
import { type Codebook, charFor } from './codebook.ts';

/** A scripted reply: text is tokenized canonically, pieces each alone, ids are taken as they are. */
export type SayPart = string | { pieces: string[] } | { ids: number[] };
export type Say = string | SayPart[];

export class ScriptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ScriptError';
  }
}

/** Ids of a scripted reply, ended by the end-of-turn id. */
export function scriptIds(say: Say, tokenizer: ChatTokenizer): number[] {
  const parts = typeof say === 'string' ? [say] : say;
  const ids = parts.flatMap((part) => {
    if (typeof part === 'string') return tokenizer.encode(part);
    if ('ids' in part) return part.ids;
    return part.pieces.flatMap((piece) => tokenizer.encode(piece));
  });
  return [...ids, EOS];
}

/** Token ids a script needs that a codebook has no character for, in order of first use. */
export function missingEntries(script: readonly number[], book: Codebook): number[] {
  const known = charFor(book);
  return [...new Set(script)].filter((id) => !known.has(id));
}

/**
 * The message that makes the model say `script`: the natural text, a blank line, the script in code characters, and filler
 * up to the lag. `tail` counts the tokens that the template puts after the message up to the first generated one.
 * Throws {@link ScriptError} when the reply does not fit or a token has no character.
 */
export function withLines(
  natural: string,
  script: readonly number[],
  { book, lag, tail }: { book: Codebook; lag: number; tail: number },
): string {
  const chars = charFor(book);
  const lines = script.map((id) => {
    const char = chars.get(id);
    if (char === undefined) throw new ScriptError(`the codebook has no character for token ${id}`);
    return char;
  });
  const room = lag - tail;
  if (script.length > room) {
    throw new ScriptError(
      `the reply is ${script.length} tokens long, end-of-turn included; a lag of ${lag} leaves room for ${room}`,
    );
  }
  return `${natural}\n\n${lines.join('')}${book.filler.repeat(room - script.length)}`;
}
