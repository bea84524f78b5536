import { isObject, type JsonObject, toJs } from '../json/value.ts';
import { sameIds } from '../oracle/same-ids.ts';
import { EOS } from '../oracle/tokenizer.ts';
import type { Sides } from './case.ts';
import { renderedPrompt } from './sides.ts';
import { divergence } from './text.ts';

/** Two prompts that differ, and where. */
export interface PromptPair {
  good: readonly number[];
  bad: readonly number[];
  /** First different index. */
  at: number;
  /** Ids that earlier turns carry into this prompt, one trailing end-of-turn id left out; 0 without any. */
  carried: number;
  /** Carried ids, the trailing end-of-turn id included. */
  prefix: readonly number[];
}

/** The two prompts of a finding about a prompt; undefined for other findings, and where they do not differ. */
export function promptPair(found: Sides): PromptPair | undefined {
  const { good, bad } = found.prompt;
  if (!good || !bad) return undefined;
  if (!['prompt_token_ids', 'contiguity', 'messages'].includes(found.field)) return undefined;
  const at = divergence(good, bad);
  if (at === good.length && at === bad.length) return undefined;
  const prefix = carriedIds(found);
  const carried = prefix.at(-1) === EOS ? prefix.length - 1 : prefix.length;
  return { good, bad, at, carried, prefix };
}

const isCarrier = (message: JsonObject): boolean => message.has('prompt_token_ids');

/** Ids that the request carries; without a request at hand, those of the turn before where history is spliced. */
export function carriedIds({ request, earlier, history, speaker }: Sides): readonly number[] {
  if (speaker.server === 'vllm-serve') return [];
  if (request) {
    const message = messagesOf(request).findLast(isCarrier);
    if (!message) return [];
    return [...idsIn(message, 'prompt_token_ids'), ...idsIn(message, 'generation_token_ids')];
  }
  const last = earlier.at(-1);
  if (history !== 'spliced' || !last) return [];
  return [...(last.prompt_token_ids ?? []), ...(last.generation_token_ids ?? [])];
}

function idsIn(message: JsonObject, key: string): number[] {
  const ids = toJs(message.get(key) ?? []);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}

export const messagesOf = (request: JsonObject): JsonObject[] => {
  const messages = request.get('messages');
  return Array.isArray(messages) ? messages.filter(isObject) : [];
};

/** The ids that the oracle renders of a request that is changed in one way; undefined where it has no opinion. */
export function renderedIf(
  { oracle, speaker, request }: Sides,
  change: (request: JsonObject) => JsonObject,
): number[] | undefined {
  return request && renderedPrompt(oracle, speaker, change(new Map(request)));
}

/**
 * Whether the deviating prompt is the one of a request that is changed in one way, and not the one of the request as it was
 * sent: the server then did as if it had been asked the former.
 */
export function isAsIf(
  found: Sides,
  { bad }: PromptPair,
  change: (request: JsonObject) => JsonObject,
): boolean {
  if (!found.asked || sameIds(found.asked, bad)) return false;
  const changed = renderedIf(found, change);
  return changed !== undefined && sameIds(changed, bad);
}

/** The request without the ids its messages carry: the conversation rendered from text. */
export const withoutIds = (request: JsonObject): JsonObject =>
  request.set(
    'messages',
    messagesOf(request).map(
      (message) =>
        new Map([...message].filter(([key]) => key !== 'prompt_token_ids' && key !== 'generation_token_ids')),
    ),
  );

/** The request up to its last assistant message, without ids: what the splice counts end-of-turn ids in. */
export function upToLastAnswer(request: JsonObject): JsonObject {
  const plain = withoutIds(request);
  const messages = messagesOf(plain);
  const last = messages.findLastIndex((message) => message.get('role') === 'assistant');
  return plain.set('messages', last === -1 ? messages : messages.slice(0, last + 1));
}

/**
 * Where the two prompts differ: in what earlier turns carry, where template and carried ids meet, or in what the template
 * writes behind that (all of a prompt that carries nothing).
 */
export type Region = 'carried' | 'rendered';

export const regionOf = ({ at, carried }: PromptPair): Region => (at < carried ? 'carried' : 'rendered');
