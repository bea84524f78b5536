import type { ChatTokenizer } from './tokenizer.ts';
import { STOP_IDS } from './tokenizer.ts';

/** How a generation becomes text where a request changes the rule. */
export interface TextOptions {
  /** Ids that count as terminal. @default the two ends of text of the model */
  stopIds?: ReadonlySet<number>;
  /** Leaves special tokens out, as an engine does for which no parser asks to keep them. @default false */
  skipSpecial?: boolean;
}

/**
 * Text of a generation as vLLM's incremental detokenizer gives it: without the terminal stop id, and without a tail that is
 * not yet a whole character. The unit held back is the token: a blank in the same token as half an emoji waits with it.
 */
export function textVllm(
  tokenizer: ChatTokenizer,
  generation: readonly number[],
  endedByStop: boolean,
  { stopIds = STOP_IDS, skipSpecial = false }: TextOptions = {},
): string {
  const last = generation.at(-1);
  const body = endedByStop && last !== undefined && stopIds.has(last) ? generation.slice(0, -1) : generation;
  const ids = skipSpecial ? body.filter((id) => !tokenizer.isSpecial(id)) : body;
  let text = tokenizer.decode(ids);
  for (let end = ids.length - 1; text.endsWith('\uFFFD'); end--) text = tokenizer.decode(ids.slice(0, end));
  return text;
}
