import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { dumpsPython } from '../json/print.ts';
import { truthy } from '../json/truthy.ts';
import { isObject, type Json } from '../json/value.ts';
import { functionsIn } from './qwen3-coder.ts';
import { strip } from './strip.ts';
import type { ParsedCall, ToolParse } from './tools.ts';

/** TensorRT-LLM fails on a text instead of leaving it as it is: NeMo-RL's server answers 500. */
export class TrtllmToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TrtllmToolError';
  }
}

/** A tool parser: where a text has a call at all, and what it makes of one that has. */
export interface TrtllmToolParser {
  hasCall(text: string): boolean;
  /** Throws {@link TrtllmToolError}. */
  parse(text: string): ToolParse;
}

/** Tool parsers of TensorRT-LLM for the Qwen3 family, by their registered names. */
export const TRTLLM_TOOLS = {
  qwen3: { hasCall: (text) => text.includes(OPEN_LINE), parse: toolsQwen3Trtllm },
  qwen3_coder: { hasCall: (text) => text.includes(OPEN), parse: toolsQwen3CoderTrtllm },
} satisfies Record<string, TrtllmToolParser>;
export type TrtllmToolName = keyof typeof TRTLLM_TOOLS;

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const OPEN_LINE = '<tool_call>\n';
const BLOCK = /<tool_call>\n(.*?)\n<\/tool_call>/gs;

/**
 * `qwen3` as NeMo-RL wraps it (`tensorrt_llm/serve/tool_parser/qwen3_tool_parser.py`): JSON between tags on lines of their
 * own. A block that is not JSON or has no name is skipped, a list is several calls, `parameters` win over `arguments`. With
 * calls, content is what precedes the first tag, stripped, null if nothing is left; without, it is the whole text.
 */
export function toolsQwen3Trtllm(text: string): ToolParse {
  const calls = [...text.matchAll(BLOCK)].flatMap(([, block = '']) => callsIn(strip(block)));
  return shown(text, text.slice(0, text.indexOf(OPEN_LINE)), calls);
}

function callsIn(block: string): ParsedCall[] {
  let value: Json;
  try {
    value = parseJson(block);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [];
    throw error;
  }
  return (Array.isArray(value) ? value : [value]).flatMap((action) => {
    if (!isObject(action)) throw new TrtllmToolError('a call that is no object');
    const name = action.get('name');
    if (!truthy(name)) return [];
    if (typeof name !== 'string') throw new TrtllmToolError('a name that is no text');
    const parameters = action.get('parameters');
    const args = truthy(parameters) ? parameters : action.get('arguments');
    return [{ name, arguments: dumpsPython(args === undefined ? new Map() : args) }];
  });
}

/**
 * `qwen3_coder` as NeMo-RL wraps it (`tensorrt_llm/serve/tool_parser/qwen3_coder_parser.py`): functions and parameters as
 * tags inside a block, values read by Python's rules, whatever the tool's schema says. With calls, content is everything
 * outside the blocks joined and stripped; a block that never ends is text.
 */
export function toolsQwen3CoderTrtllm(text: string): ToolParse {
  const calls: ParsedCall[] = [];
  let outside = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(OPEN, at);
    const end = start === -1 ? -1 : text.indexOf(CLOSE, start);
    if (end === -1) break;
    outside += text.slice(at, start);
    at = end + CLOSE.length;
    for (const call of functionsIn(text.slice(start, at))) if (call.name !== '') calls.push(call);
  }
  return shown(text, outside + text.slice(at), calls);
}

function shown(text: string, outside: string, calls: ParsedCall[]): ToolParse {
  return calls.length === 0 ? { content: text, calls } : { content: strip(outside) || null, calls };
}
