import type { Forms } from './engines.ts';
import type { Outcome, ParseMode } from './outcome.ts';
import { reasoningTrtllm, startsInReasoning } from './reasoning-trtllm.ts';
import { isWellFormed } from './tools.ts';
import { TRTLLM_TOOLS, TrtllmToolError } from './tools-trtllm.ts';

/** NeMo-RL's names of the forms. */
const REASONING_NAMES = { qwen3: 'qwen3', deepseek_r1: 'deepseek-r1', qwen3_5: 'qwen3_5' } as const;

/**
 * The message that NeMo-RL's server makes of a text with TensorRT-LLM's parsers
 * (`nemo_rl/models/generation/trtllm/trtllm_http_server.py`). Text in a call that is no text to UTF-8 fails when it is printed.
 */
export function parseTrtllm(forms: Forms, text: string, mode: ParseMode): Outcome {
  const { reasoning, content } =
    forms.reasoning === null
      ? { reasoning: '', content: text }
      : reasoningTrtllm(text, startsInReasoning(REASONING_NAMES[forms.reasoning], mode.thinking));
  const parser = forms.tool === null || forms.tool === 'llama' ? undefined : PARSERS[forms.tool];
  if (!parser || !mode.tools || !parser.hasCall(content)) {
    return { outcome: 'message', message: { reasoning, content, calls: [] } };
  }
  try {
    const parsed = parser.parse(content);
    if (!parsed.calls.every(isWellFormed)) {
      return { outcome: 'fails', why: 'half of a surrogate pair' };
    }
    return { outcome: 'message', message: { reasoning, ...parsed } };
  } catch (error) {
    if (error instanceof TrtllmToolError) return { outcome: 'fails', why: error.message };
    throw error;
  }
}

const PARSERS = { json: TRTLLM_TOOLS.qwen3, xml: TRTLLM_TOOLS.qwen3_coder };
