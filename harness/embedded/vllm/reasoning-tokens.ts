import type { ChatTokenizer } from '../../oracle/tokenizer.ts';

/** Token ids that open and close reasoning, and the one that begins a tool call. */
const OPEN = 151667; // <think>
const CLOSE = 151668; // </think>
const CALL = 151657; // <tool_call>
const CALL_END = 151658; // </tool_call>

/** Index of the id that ends reasoning, `</think>` or the first of a tool call; the count of ids while none has. */
export function endOfReasoning(ids: readonly number[]): number {
  const end = ids.findIndex((id) => id === CLOSE || id === CALL);
  return end === -1 ? ids.length : end;
}

/** Whether an id before that end shows in the reasoning text: opening tags and special tokens do not. */
export const isReasoning = (id: number, tokenizer: ChatTokenizer): boolean =>
  id !== OPEN && !tokenizer.isSpecial(id);

/**
 * How many generated ids vLLM 0.32 counts as reasoning; a stray end of a call is not counted. It goes by ids where the parser
 * goes by text, so tags spelled with ordinary tokens end nothing here.
 */
export function reasoningTokens(ids: readonly number[], thinking: boolean, tokenizer: ChatTokenizer): number {
  if (!thinking) return 0;
  const reasoning = ids.slice(0, endOfReasoning(ids));
  return reasoning.filter((id) => id !== CALL_END && isReasoning(id, tokenizer)).length;
}
