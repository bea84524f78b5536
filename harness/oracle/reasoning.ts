/** Reasoning and the rest of a generated text; null and "" are different answers. */
export interface ReasoningSplit {
  reasoning: string | null;
  content: string | null;
}

const OPEN = '<think>';
const CLOSE = '</think>';
const CALL = '<tool_call>';

/**
 * vLLM 0.25.1's `qwen3` reasoning parser, as measured. Thinking off: everything is content, tags included. Thinking on: the
 * first opening tag is removed, and reasoning ends at the closing tag or at a bare `<tool_call>`; later closing tags vanish
 * from content; without an end everything is reasoning.
 */
export function reasoningQwen3(text: string, thinking: boolean): ReasoningSplit {
  if (!thinking) return { reasoning: null, content: text };
  const close = text.indexOf(CLOSE);
  const call = text.indexOf(CALL);
  const opened = (part: string): string => part.replace(OPEN, '');
  if (call !== -1 && (close === -1 || call < close)) {
    return {
      reasoning: opened(text.slice(0, call)) || null,
      content: text.slice(call).replaceAll(CLOSE, ''),
    };
  }
  if (close === -1) return { reasoning: opened(text) || null, content: null };
  const content = text.slice(close + CLOSE.length).replaceAll(CLOSE, '');
  return { reasoning: opened(text.slice(0, close)) || null, content: content || null };
}
