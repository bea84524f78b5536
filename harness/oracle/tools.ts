import { parseJson } from '../json/parse.ts';
import { dumpsPython } from '../json/print.ts';
import { isObject } from '../json/value.ts';
import { strip } from './strip.ts';

/** One parsed call; `arguments` is JSON text as the server prints it. */
export interface ParsedCall {
  name: string;
  arguments: string;
}

export interface ToolParse {
  content: string | null;
  calls: ParsedCall[];
  /** Half of a surrogate pair would stand in a call, which is why there is none. */
  illFormed?: true;
}

const BLOCK = /<tool_call>(.*?)<\/tool_call>|<tool_call>(.*)/gs;

/**
 * vLLM's `hermes` tool parser (`vllm/tool_parsers/hermes_tool_parser.py`): JSON between tags, the last block may lack its
 * end. One bad block means no calls at all and the whole text as content; with calls, content is what precedes the first
 * tag and anything after or between is dropped. Blank content beside calls becomes null, as the chat layer does.
 */
export function toolsHermes(text: string): ToolParse {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) return { content: text, calls: [] };
  const calls: ParsedCall[] = [];
  for (const [, closed, open] of blocks) {
    const call = parseCall(closed || open || '');
    if (!call) return { content: text, calls: [] };
    calls.push(call);
  }
  if (!calls.every(isWellFormed)) return { content: text, calls: [], illFormed: true };
  const before = text.slice(0, text.indexOf('<tool_call>'));
  return { content: strip(before) === '' ? null : before, calls };
}

function parseCall(text: string): ParsedCall | undefined {
  try {
    const value = parseJson(text);
    if (!isObject(value)) return undefined;
    const name = value.get('name');
    const args = value.get('arguments');
    if (typeof name !== 'string' || args === undefined) return undefined;
    return { name, arguments: dumpsPython(args) };
  } catch {
    return undefined;
  }
}

/**
 * Half a surrogate pair is no text to the server's response model, which drops the calls for it; with newer versions of
 * pydantic it is, and the server fails when it prints the answer.
 */
export const isWellFormed = (call: ParsedCall): boolean =>
  call.name.isWellFormed() && call.arguments.isWellFormed();
