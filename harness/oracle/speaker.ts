import type { DialectName } from '../domain.ts';
import type { Json } from '../json/value.ts';
import { textVllm } from './detokenize.ts';
import { contentQwen3CoderVllm, toolsQwen3CoderVllm, VllmToolError } from './qwen3-coder-vllm.ts';
import { type ReasoningSplit, reasoningQwen3 } from './reasoning.ts';
import { reasoningTrtllm, startsInReasoning, TRTLLM_REASONING } from './reasoning-trtllm.ts';
import { type ChatTokenizer, STOP_IDS } from './tokenizer.ts';
import { type ParsedCall, toolsHermes } from './tools.ts';
import { TRTLLM_TOOLS, TrtllmToolError } from './tools-trtllm.ts';
import { reasoningQwen3Dropping } from './vllm-0.32.ts';

/** Which server gave an answer, and with which parsers. */
export interface Speaker {
  server: DialectName;
  parsers: { tool: string; reasoning: string };
}

export interface ParseMode {
  /** False only when the request switched thinking off. */
  thinking: boolean;
  /** Whether the request offered tools; without them nothing is parsed for calls. */
  tools: boolean;
  /** The tools it offered, for parsers that read values by their schemas; without them those have no opinion on calls. */
  definitions?: readonly Json[] | undefined;
}

/** What the harness itself makes of a generation. */
export interface ParsedMessage {
  reasoning: string | null;
  content: string | null;
  calls: ParsedCall[];
}

/**
 * Text of generated ids as a server's detokenizer gives it: vLLM holds half a character back, TensorRT-LLM writes U+FFFD;
 * plain vLLM 0.32 leaves special tokens out.
 */
export function generatedText(tokenizer: ChatTokenizer, server: DialectName, ids: readonly number[]): string {
  const stopped = STOP_IDS.has(ids.at(-1) ?? -1);
  if (server === 'nemo-rl-trtllm' || server === 'trtllm-serve') {
    return tokenizer.decode(stopped ? ids.slice(0, -1) : ids);
  }
  return textVllm(tokenizer, ids, stopped, { skipSpecial: server === 'vllm-serve' });
}

/** The message a server's parsers make of a text; undefined for parsers the oracle does not know. */
export function parseText(
  tokenizer: ChatTokenizer,
  { server, parsers }: Speaker,
  text: string,
  mode: ParseMode,
): ParsedMessage | undefined {
  if (server === 'nemo-rl-trtllm') return parseTrtllm(parsers, text, mode);
  if (parsers.reasoning !== 'qwen3') return undefined;
  const split =
    server === 'vllm-serve'
      ? reasoningQwen3Dropping(text, mode.thinking, tokenizer)
      : reasoningQwen3(text, mode.thinking);
  // Plain vLLM is emulated in version 0.32, whose parser of this name reads values otherwise than 0.25.1's.
  if (parsers.tool === 'qwen3_coder' && server !== 'vllm-serve') return parseCoder(split, mode);
  if (parsers.tool !== 'hermes') return undefined;
  const { reasoning, content } = split;
  if (content === null || !mode.tools) return { reasoning, content, calls: [] };
  return { reasoning, ...toolsHermes(content) };
}

/** This parser is asked even where a request offered no tools, and shows what it left of the content then. */
function parseCoder({ reasoning, content }: ReasoningSplit, mode: ParseMode): ParsedMessage | undefined {
  try {
    if (!mode.tools) return { reasoning, content: contentQwen3CoderVllm(content ?? '', []), calls: [] };
    if (!mode.definitions) return undefined;
    const parsed = toolsQwen3CoderVllm(content ?? '', mode.definitions);
    return { reasoning, ...parsed, content: parsed.calls.length > 0 ? parsed.content : content };
  } catch (error) {
    if (error instanceof VllmToolError) return undefined; // the server answers with 500
    throw error;
  }
}

function parseTrtllm(
  { tool, reasoning: name }: Speaker['parsers'],
  text: string,
  mode: ParseMode,
): ParsedMessage | undefined {
  const known = TRTLLM_REASONING.find((entry) => entry === name);
  const parser = tool === 'qwen3' || tool === 'qwen3_coder' ? TRTLLM_TOOLS[tool] : undefined;
  if (!known || !parser) return undefined;
  const { reasoning, content } = reasoningTrtllm(text, startsInReasoning(known, mode.thinking));
  if (!mode.tools || !parser.hasCall(content)) return { reasoning, content, calls: [] };
  try {
    return { reasoning, ...parser.parse(content) };
  } catch (error) {
    if (error instanceof TrtllmToolError) return undefined; // the server answers with 500
    throw error;
  }
}
