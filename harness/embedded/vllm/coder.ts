import { contentQwen3CoderVllm, toolsQwen3CoderVllm, VllmToolError } from '../../oracle/qwen3-coder-vllm.ts';
import type { ToolParse } from '../../oracle/tools.ts';
import { detail } from '../fastapi/answers.ts';
import { exception, refusedAnswer } from '../refusal.ts';
import type { ChatRequest } from './request.ts';

type Asked = Pick<ChatRequest, 'tool_choice' | 'tools'>;

/**
 * What the `qwen3_coder` parser makes of the text behind the thinking. It reads it even for a request without tools and for
 * `tool_choice: none`. A forced call or a strict tool puts a grammar of tags on the sampler, which ends in a 501 here.
 */
export function coderReply(content: string | null, { tool_choice: choice, tools }: Asked): ToolParse {
  if (isForced(choice) || (choice === 'auto' && tools?.some(isStrict))) {
    throw notEmulated('grammar-guided decoding');
  }
  const offered = tools ?? [];
  try {
    if (choice === 'none') return { content: contentQwen3CoderVllm(content ?? '', offered), calls: [] };
    const parsed = toolsQwen3CoderVllm(content ?? '', offered);
    if (parsed.calls.length === 0) return { content, calls: [] };
    // As with any parser, `tool_choice: null` shows neither the calls nor their text.
    return { content: parsed.content, calls: choice === null ? [] : parsed.calls };
  } catch (error) {
    if (error instanceof VllmToolError) throw exception(error.message);
    throw error;
  }
}

/** Throws a 501, which the real server never sends. */
export function refuseCoderStream(): never {
  throw notEmulated('streams of the tool parser qwen3_coder');
}

function notEmulated(what: string): Error {
  const reason = `parity-embedded does not emulate ${what}`;
  return refusedAnswer(detail(501, reason), reason);
}

const isForced = (choice: Asked['tool_choice']): boolean =>
  choice === 'required' || (choice !== null && typeof choice === 'object');

type Tool = NonNullable<Asked['tools']>[number];

const isStrict = (tool: Tool): boolean => {
  const fn = tool.get('function');
  return fn instanceof Map && fn.get('strict') === true;
};
