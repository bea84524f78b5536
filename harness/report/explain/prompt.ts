import { isObject, type JsonObject } from '../../json/value.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import { originName, type TracedIds } from '../../oracle/origins.ts';
import type { Transcript } from '../../schemas/types.ts';
import { aligned, type NamedIds } from './tokens.ts';

/**
 * The prompt that the oracle makes of a turn's request, every id named by what it came from. Earlier turns are traced first,
 * because their prompts are what a later message carries. Undefined where the oracle has no prompt.
 */
export function tracedPrompt(
  oracle: Oracle,
  transcript: Transcript,
  turn: number,
  others: readonly (readonly number[] | undefined)[],
  requestOf: (turn: number) => JsonObject | undefined,
): NamedIds | undefined {
  const earlier: TracedIds[] = [];
  for (let number = 1; number <= turn; number++) {
    const body = requestOf(number);
    const traced = body && attempt(() => oracle.tracePrompt(transcript.server, body, earlier));
    if (!body || !traced) continue;
    if (number === turn) {
      const messages = body.get('messages');
      const list = Array.isArray(messages) ? messages.filter(isObject) : [];
      const name = (origins: TracedIds['origins'][number]): string =>
        origins.length === 0 ? 'unknown' : origins.map((origin) => originName(origin, list)).join(' + ');
      return { ids: traced.ids, names: traced.origins.map(name) };
    }
    // What a next request carries is what the lane answered with, or the golden that was sent instead.
    for (const ids of [transcript.turns[number - 1]?.prompt_token_ids, others[number - 1]]) {
      if (ids) earlier.push({ ids, origins: inherited(ids, traced) });
    }
  }
  return undefined;
}

/** A template may raise anything, and a conversation may be one that a server refuses: then there is no prompt. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Origins for a server's ids where the oracle has the same ones in their place. */
function inherited(ids: readonly number[], traced: TracedIds): TracedIds['origins'] {
  const origins: TracedIds['origins'][number][] = [];
  for (const [mine, other] of aligned(ids, traced.ids)) {
    if (mine !== undefined) origins.push(other === undefined ? [] : (traced.origins[other] ?? []));
  }
  return origins;
}
