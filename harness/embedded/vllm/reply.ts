import { parseJson } from '../../json/parse.ts';
import { dumpsPython } from '../../json/print.ts';
import { isObject, type Json } from '../../json/value.ts';
import type { ReasoningSplit } from '../../oracle/reasoning.ts';
import { type ParsedCall, toolsHermes } from '../../oracle/tools.ts';
import { coderReply } from './coder.ts';
import type { Parsers } from './parsers.ts';
import type { ChatRequest } from './request.ts';
import type { Chat } from './started.ts';

/** A generated text as the message shows it. */
export interface Reply {
  reasoning: string | null;
  content: string | null;
  calls: readonly ParsedCall[];
  /** What the tool parser was given. */
  afterReasoning: string;
  /** True where calls turn `finish_reason` into `tool_calls` even after a cut. */
  callsFinish: boolean;
}

/** Parses a generated text by the request's switches (`vllm/parser/abstract_parser.py` and the chat layer above it). */
export function parseReply(
  text: string,
  request: ChatRequest,
  { parsers, version, renderer }: Chat,
  thinking: boolean,
): Reply {
  const split: ReasoningSplit =
    parsers.reasoning === null
      ? { reasoning: null, content: text }
      : version.split(text, thinking, renderer.tokenizer);
  const reasoning = request.include_reasoning ? split.reasoning : null;
  const afterReasoning = split.content ?? '';
  const { content, calls } = parseCalls(split.content, request, parsers);
  return {
    reasoning,
    content,
    calls: request.parallel_tool_calls === false ? calls.slice(0, 1) : calls,
    afterReasoning,
    callsFinish: request.tool_choice === 'auto' && calls.length > 0,
  };
}

function parseCalls(
  content: string | null,
  request: ChatRequest,
  { tool }: Parsers,
): { content: string | null; calls: ParsedCall[] } {
  if (tool === 'qwen3_coder') return coderReply(content, request);
  const { tool_choice: choice } = request;
  if (choice !== null && typeof choice === 'object') {
    const blank = content === null || content.trim() === '';
    return { content: '', calls: blank ? [] : [{ name: choice.name, arguments: content }] };
  }
  if (choice === 'required') return { content: '', calls: requiredCalls(content ?? '') };
  if (tool === null || choice === 'none') return { content, calls: [] };
  const parsed = toolsHermes(content ?? '');
  if (parsed.calls.length === 0) return { content, calls: [] };
  // `tool_choice: null` parses like auto, but the chat layer then shows neither the calls nor their text.
  return { content: parsed.content, calls: choice === null ? [] : parsed.calls };
}

/** `required` forces a JSON list of `{name, parameters}`; anything else is no call. */
function requiredCalls(text: string): ParsedCall[] {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  const calls = value.map((entry) => {
    const name = isObject(entry) ? entry.get('name') : undefined;
    const parameters = isObject(entry) ? (entry.get('parameters') ?? null) : undefined;
    return typeof name === 'string' && parameters !== undefined
      ? { name, arguments: dumpsPython(parameters) }
      : undefined;
  });
  return calls.some((call) => call === undefined) ? [] : calls.filter((call) => call !== undefined);
}

/** Whether a request asks for output under a grammar. */
export const isGuided = (request: ChatRequest): boolean =>
  request.tool_choice === 'required' ||
  (request.tool_choice !== null && typeof request.tool_choice === 'object') ||
  (request.response_format !== null && request.response_format.get('type') !== 'text') ||
  request.structured_outputs !== null;
