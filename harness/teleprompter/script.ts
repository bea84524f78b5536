import { InvalidError } from '../errors.ts';
import { type ChatTokenizer, EOS, TokenizerError } from '../oracle/tokenizer.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import { type Codebook, charFor } from './codebook.ts';

/** A scripted reply: text is tokenized canonically, pieces each alone, ids are taken as they are. */
export type SayPart = string | { pieces: string[] } | { ids: number[] };
export type Say = string | SayPart[];

/** The turn of a scenario that scripts a reply. */
export interface ScriptPlace {
  /** `file:line:col` */
  where: string;
  /** 1-based. */
  turn: number;
}

/** A scripted reply that no model can say, or that this one cannot: a wrong scenario file. */
export class ScriptError extends InvalidError {
  constructor(what: string, hint: string, place: ScriptPlace | undefined) {
    super(place ? `turn ${place.turn}: ${what}` : what, { hint, ...(place ? { where: place.where } : {}) });
  }
}

/** Ids of every turn's scripted reply; a turn without one says nothing. Throws {@link ScriptError} with the turn's place. */
export const scriptsOf = (scenario: LoadedScenario, tokenizer: ChatTokenizer): number[][] =>
  scenario.document.turns.map(({ say = '' }, index) =>
    scriptIds(say, tokenizer, { where: scenario.locateTurn(index + 1), turn: index + 1 }),
  );

/**
 * Ids of a scripted reply, ended by the end-of-turn id. Throws {@link ScriptError} for an id that the tokenizer does not know,
 * since a golden shows every id's text, and for text that it refuses.
 */
export function scriptIds(say: Say, tokenizer: ChatTokenizer, place?: ScriptPlace): number[] {
  const parts = typeof say === 'string' ? [say] : say;
  const ids = parts.flatMap((part) => {
    if (typeof part === 'string') return encode(part, tokenizer, place);
    if ('ids' in part) return part.ids;
    return part.pieces.flatMap((piece) => encode(piece, tokenizer, place));
  });
  const unknown = ids.find((id) => !tokenizer.knows(id));
  if (unknown !== undefined) {
    const hint = 'an id without text cannot stand in a golden; script one of the vocabulary';
    throw new ScriptError(`the tokenizer knows no token ${unknown}`, hint, place);
  }
  return [...ids, EOS];
}

function encode(text: string, tokenizer: ChatTokenizer, place: ScriptPlace | undefined): number[] {
  try {
    return tokenizer.encode(text);
  } catch (error) {
    if (!(error instanceof TokenizerError)) throw error;
    throw new ScriptError(error.message, 'script whole characters, or ids: `say: [{ids: […]}]`', place);
  }
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
  { book, lag, tail, place }: { book: Codebook; lag: number; tail: number; place?: ScriptPlace },
): string {
  const chars = charFor(book);
  const lines = script.map((id) => {
    const char = chars.get(id);
    if (char === undefined) {
      const hint = 'recording the scenario appends what it needs: parity record --reason "…"';
      throw new ScriptError(`the codebook has no character for token ${id}`, hint, place);
    }
    return char;
  });
  const room = lag - tail;
  if (script.length > room) {
    throw new ScriptError(
      `the reply is ${script.length} tokens long, end-of-turn included; a lag of ${lag} leaves room for ${room}`,
      'shorten the reply, split it over turns, or use a lane with a longer lag',
      place,
    );
  }
  return `${natural}\n\n${lines.join('')}${book.filler.repeat(room - script.length)}`;
}
