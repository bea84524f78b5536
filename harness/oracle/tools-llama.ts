import { JsonSyntaxError, parseJsonPrefix } from '../json/parse.ts';
import { dumpsPython } from '../json/print.ts';
import { isObject, type Json } from '../json/value.ts';
import { isWellFormed, type ParsedCall, type ToolParse } from './tools.ts';

/**
 * vLLM's `llama3_json` tool parser, also named `llama4_json`, the same in 0.25.1 and 0.32
 * (`vllm/tool_parsers/llama_tool_parser.py`): every `{` that no object before it covers begins a call. One that does not read
 * as JSON, or has no name or arguments, means no calls at all and the whole text as content; with calls all other text is lost.
 */
export function toolsLlama(text: string): ToolParse {
  const calls: ParsedCall[] = [];
  let covered = -1;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    // As in Python, the character behind an object counts as covered too.
    if (at <= covered) continue;
    const found = callAt(text, at);
    if (!found) return { content: text, calls: [] };
    covered = found.end;
    calls.push(found.call);
  }
  if (!calls.every(isWellFormed)) return { content: text, calls: [], illFormed: true };
  return calls.length === 0 ? { content: text, calls } : { content: null, calls };
}

function callAt(text: string, at: number): { call: ParsedCall; end: number } | undefined {
  let value: Json;
  let end: number;
  try {
    ({ value, end } = parseJsonPrefix(text, at));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
  if (!isObject(value)) return undefined;
  const name = value.get('name');
  const given = value.has('arguments') ? value.get('arguments') : value.get('parameters');
  if (typeof name !== 'string' || given === undefined) return undefined;
  return { call: { name, arguments: dumpsPython(given) }, end };
}
