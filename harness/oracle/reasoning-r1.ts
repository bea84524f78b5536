import type { ReasoningSplit } from './reasoning.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * vLLM's `deepseek_r1` reasoning parser, the same in 0.25.1 and 0.32 (`vllm/reasoning/basic_parsers.py`). It does not look at
 * `enable_thinking`: what precedes the first opening tag is lost, and without a closing tag everything is reasoning, which may
 * be "" but is never null.
 */
export function reasoningR1Vllm(text: string): ReasoningSplit {
  const open = text.indexOf(OPEN);
  const rest = open === -1 ? text : text.slice(open + OPEN.length);
  const close = rest.indexOf(CLOSE);
  if (close === -1) return { reasoning: rest, content: null };
  return { reasoning: rest.slice(0, close), content: rest.slice(close + CLOSE.length) || null };
}
