/** Reasoning and the rest of a generated text; null and "" are different answers. */
export interface ReasoningSplit {
  reasoning: string | null;
  content: string | null;
}

const OPEN = '<think>';
const CLOSE = '</think>';
const CALL = '<tool_call>';

/**
 * vLLM 0.25.1's `qwen3` reasoning parser (`vllm/parser/qwen3.py` and the measured answers). Thinking off: everything is
 * content, tags included. Thinking on: opening tags vanish from reasoning, which ends at the closing tag or at a bare
 * `<tool_call>`; from content closing tags vanish and opening ones stay; without an end everything is reasoning.
 */
export function reasoningQwen3(text: string, thinking: boolean): ReasoningSplit {
  if (!thinking) return { reasoning: null, content: text };
  const { end, rest } = endOfReasoning(text);
  return {
    reasoning: text.slice(0, end).replaceAll(OPEN, '') || null,
    content: text.slice(rest).replaceAll(CLOSE, '') || null,
  };
}

/** Where reasoning ends and where content begins, in UTF-16 units; both the text's length while it is open. */
function endOfReasoning(text: string): { end: number; rest: number } {
  const close = text.indexOf(CLOSE);
  const call = text.indexOf(CALL);
  if (call !== -1 && (close === -1 || call < close)) return { end: call, rest: call };
  if (close === -1) return { end: text.length, rest: text.length };
  return { end: close, rest: close + CLOSE.length };
}
