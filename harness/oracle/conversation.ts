import { parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';

/** A request's messages as the engine hands them to the chat template, or why it refuses them. */
export class ConversationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversationError';
  }
}

/**
 * Messages as vLLM prepares them for a template that takes string content (`vllm/entrypoints/chat_utils.py`,
 * version 0.25.1): missing content is "", text parts join by newline, argument strings become values, an empty
 * `tool_calls` is dropped, and reasoning is handed over under both names, `reasoning` winning.
 * Throws {@link ConversationError} for arguments that are not JSON.
 */
export function conversationVllm(messages: readonly JsonObject[]): JsonObject[] {
  return messages.map((message) => {
    const out: JsonObject = new Map<string, Json>([['role', message.get('role') ?? null]]);
    out.set('content', textOf(message.get('content')));
    for (const key of ['name', 'tool_call_id']) {
      const value = message.get(key);
      if (value !== undefined && value !== null) out.set(key, value);
    }
    if (message.get('role') === 'assistant') {
      const reasoning = message.get('reasoning') ?? message.get('reasoning_content');
      if (reasoning !== undefined && reasoning !== null) {
        out.set('reasoning', reasoning);
        out.set('reasoning_content', reasoning);
      }
      const calls = message.get('tool_calls');
      if (Array.isArray(calls) && calls.length > 0) out.set('tool_calls', calls.map(decodeArguments));
    }
    return out;
  });
}

function textOf(content: Json | undefined): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new ConversationError('content is neither text nor parts');
  const texts = content.map((part) => {
    if (typeof part === 'string') return part;
    const text = isObject(part) ? part.get('text') : undefined;
    if (typeof text !== 'string') throw new ConversationError('a content part without text');
    return text;
  });
  return texts.join('\n');
}

function decodeArguments(call: Json): Json {
  const fn = isObject(call) ? call.get('function') : undefined;
  if (!isObject(call) || !isObject(fn)) return call;
  const text = fn.get('arguments');
  let value: Json = new Map();
  if (typeof text === 'string' && text !== '') {
    try {
      value = parseJson(text);
    } catch {
      throw new ConversationError('tool call arguments are not JSON');
    }
  }
  if (value === null) value = new Map();
  return new Map(call).set('function', new Map(fn).set('arguments', value));
}

/**
 * Tool definitions as vLLM 0.25.1 prints them into the prompt: re-dumped through its request model, so with a fixed key
 * order, nulls for a missing description or parameters, `strict` only if set, and unknown keys last.
 */
export function toolsVllm(tools: readonly Json[]): Json[] {
  return tools.map((tool) => {
    if (!isObject(tool)) return tool;
    const fn = tool.get('function');
    const out: JsonObject = new Map<string, Json>([['type', tool.get('type') ?? 'function']]);
    if (isObject(fn)) {
      const definition: JsonObject = new Map<string, Json>([
        ['name', fn.get('name') ?? null],
        ['description', fn.get('description') ?? null],
        ['parameters', fn.get('parameters') ?? null],
      ]);
      const strict = fn.get('strict');
      if (strict !== undefined && strict !== null) definition.set('strict', strict);
      appendOthers(definition, fn, 'strict');
      out.set('function', definition);
    }
    return appendOthers(out, tool);
  });
}

function appendOthers(out: JsonObject, from: JsonObject, except?: string): JsonObject {
  for (const [key, value] of from) if (!out.has(key) && key !== except) out.set(key, value);
  return out;
}
