import type { ChatTokenizer } from './tokenizer.ts';
import { STOP_IDS } from './tokenizer.ts';

/**
 * Text of a generation as vLLM's incremental detokenizer gives it: without the terminal stop id, and without a tail that is
 * not yet a whole character. The unit held back is the token: a blank in the same token as half an emoji waits with it.
 */
export function textVllm(
  tokenizer: ChatTokenizer,
  generation: readonly number[],
  endedByStop: boolean,
): string {
  const last = generation.at(-1);
  let end =
    endedByStop && last !== undefined && STOP_IDS.has(last) ? generation.length - 1 : generation.length;
  let text = tokenizer.decode(generation.slice(0, end));
  while (text.endsWith('\uFFFD')) {
    end--;
    text = tokenizer.decode(generation.slice(0, end));
  }
  return text;
}
