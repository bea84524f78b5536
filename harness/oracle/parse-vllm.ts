import type { Forms } from './engines.ts';
import type { Outcome, ParsedMessage, ParseMode } from './outcome.ts';
import {
  type CoderRules,
  contentQwen3CoderVllm,
  toolsQwen3CoderVllm,
  VllmToolError,
} from './qwen3-coder-vllm.ts';
import { type ReasoningSplit, reasoningQwen3 } from './reasoning.ts';
import { reasoningR1Vllm } from './reasoning-r1.ts';
import type { ChatTokenizer } from './tokenizer.ts';
import { toolsHermes } from './tools.ts';
import { toolsLlama } from './tools-llama.ts';
import { reasoningQwen3Dropping } from './vllm-0.32.ts';

export type VllmEngine = 'vllm-0.25.1' | 'vllm-0.32';

/**
 * The message that vLLM's chat layer makes of a generated text (`vllm/parser/abstract_parser.py` and
 * `vllm/entrypoints/openai/chat_completion/serving.py`) for an automatic choice of tools.
 */
export function parseVllm(
  engine: VllmEngine,
  forms: Forms,
  text: string,
  mode: ParseMode,
  tokenizer: ChatTokenizer,
): Outcome {
  const split = reasoningOf(engine, forms, text, mode, tokenizer);
  if (forms.tool === 'xml') return withXml(engine, forms, split, mode);
  const { reasoning, content } = split;
  if (content === null || !mode.tools || forms.tool === null) return message(reasoning, content, []);
  const parsed = forms.tool === 'llama' ? toolsLlama(content) : toolsHermes(content);
  if (parsed.illFormed) {
    const why = 'half of a surrogate pair in a call is text, or fails the server, by the version of pydantic';
    return { outcome: 'unknown', why };
  }
  return message(reasoning, parsed.content, parsed.calls);
}

function reasoningOf(
  engine: VllmEngine,
  { reasoning }: Forms,
  text: string,
  { thinking }: ParseMode,
  tokenizer: ChatTokenizer,
): ReasoningSplit {
  if (reasoning === null) return { reasoning: null, content: text };
  if (reasoning === 'deepseek_r1') return reasoningR1Vllm(text);
  if (engine === 'vllm-0.25.1') return reasoningQwen3(text, thinking);
  return reasoningQwen3Dropping(text, thinking, tokenizer);
}

/** This parser is asked even where a request offered no tools, and shows what it left of the content then. */
function withXml(
  engine: VllmEngine,
  { reasoning: parser }: Forms,
  { reasoning, content }: ReasoningSplit,
  mode: ParseMode,
): Outcome {
  // Both parsers run on one engine of vLLM's, or the reasoning parser is an older kind and the chat layer treats both as such.
  const oneEngine = parser !== 'deepseek_r1';
  const newer = engine === 'vllm-0.32';
  const rules: CoderRules = newer
    ? { trims: 'newline', keepsThinkEnd: parser === null, dropsMarkup: oneEngine, inOrder: true }
    : {};
  try {
    if (!mode.tools) {
      const shown = oneEngine ? contentQwen3CoderVllm(content ?? '', [], rules) : content;
      return message(reasoning, shown, []);
    }
    if (!mode.definitions) return { outcome: 'unknown', why: 'the definitions of the tools are not known' };
    const parsed = toolsQwen3CoderVllm(content ?? '', mode.definitions, rules);
    const whole = parsed.calls.length === 0 && !rules.dropsMarkup;
    return message(reasoning, whole ? content : parsed.content, parsed.calls);
  } catch (error) {
    if (error instanceof VllmToolError) return { outcome: 'fails', why: error.message };
    throw error;
  }
}

const message = (
  reasoning: string | null,
  content: string | null,
  calls: ParsedMessage['calls'],
): Outcome => ({
  outcome: 'message',
  message: { reasoning, content, calls },
});
