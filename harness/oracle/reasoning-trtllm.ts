/** Reasoning and the rest of a generated text, both always texts. */
export interface TrtllmReasoning {
  reasoning: string;
  content: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/** Reasoning parsers of TensorRT-LLM for the Qwen3 family, by their registered names. */
export const TRTLLM_REASONING = ['deepseek-r1', 'qwen3', 'qwen3_5'] as const;
export type TrtllmReasoningName = (typeof TRTLLM_REASONING)[number];

/**
 * Whether a parser takes the text to begin inside reasoning. NeMo-RL asks `deepseek-r1` by Python's truth of
 * `enable_thinking`; the other two have it fixed.
 */
export const startsInReasoning = (name: TrtllmReasoningName, enableThinking: boolean): boolean =>
  name === 'deepseek-r1' ? enableThinking : name === 'qwen3_5';

/**
 * TensorRT-LLM's DeepSeekR1Parser (`tensorrt_llm/llmapi/reasoning_parser.py`), which serves all three names. At the start:
 * everything before the first closing tag is reasoning, a generated opening tag included, and without one all of it is. Not at
 * the start: reasoning begins behind the first opening tag, what precedes that is lost, and without one everything is content.
 */
export function reasoningTrtllm(text: string, atStart: boolean): TrtllmReasoning {
  const open = atStart ? 0 : text.indexOf(OPEN);
  if (open === -1) return { reasoning: '', content: text };
  const rest = atStart ? text : text.slice(open + OPEN.length);
  const close = rest.indexOf(CLOSE);
  if (close === -1) return { reasoning: rest, content: '' };
  return { reasoning: rest.slice(0, close), content: rest.slice(close + CLOSE.length) };
}
