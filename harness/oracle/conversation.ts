import { parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';

/** A request's messages as the engine hands them to the chat template, or why it refuses them. */
export class ConversationError extends Error {
  /** The type of a content part no engine knows; the server answers it with 400, everything else with 500. */
  readonly unknownPart: string | undefined;
  constructor(message: string, unknownPart?: string) {
    super(message);
    this.name = 'ConversationError';
    this.unknownPart = unknownPart;
  }
}

/**
 * Messages as vLLM prepares them for a template that takes string content (`vllm/entrypoints/chat_utils.py`,
 * version 0.25.1): missing content is "", text parts join by newline, argument strings become values, an empty
 * `tool_calls` is dropped, reasoning is handed over under both names, `reasoning` winning, and `developer` is `system`
 * for a template that does not know it (Qwen3's does not).
 * Throws {@link ConversationError} for arguments that are not JSON and for content that is no text.
 */
export function conversationVllm(messages: readonly JsonObject[]): JsonObject[] {
  return messages.map((message) => {
    const given = message.get('role') ?? null;
    const role = given === 'developer' ? 'system' : given;
    const out: JsonObject = new Map<string, Json>([['role', role]]);
    out.set('content', textOf(message.get('content')));
    for (const key of ['name', 'tool_call_id']) {
      const value = message.get(key);
      if (value !== undefined && value !== null) out.set(key, value);
    }
    if (role === 'assistant') {
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
  // NeMo-RL cannot deep-copy the lazy iterator that an empty list has become by then.
  if (content.length === 0) throw new ConversationError('content is an empty list');
  return content
    .map(partText)
    .filter((text) => text !== undefined)
    .join('\n');
}

/** Part types that carry text, with the key that holds it. */
const TEXT_PARTS = new Map([
  ['text', 'text'],
  ['refusal', 'refusal'],
  ['thinking', 'thinking'],
]);
/** Types vLLM knows but a text model on NeMo-RL fails on. */
const OTHER_PARTS = new Set([
  ...['audio_embeds', 'audio_url', 'image_embeds', 'image_pil', 'image_url', 'input_audio', 'input_image'],
  ...['input_text', 'output_text', 'prompt_embeds', 'tool_reference', 'video_url'],
]);
/** Every part type vLLM 0.25.1 lists in its refusal, sorted. */
export const PART_TYPES: readonly string[] = [...TEXT_PARTS.keys(), ...OTHER_PARTS].sort();

function partText(part: Json): string | undefined {
  if (typeof part === 'string') return part;
  const type = isObject(part) ? part.get('type') : undefined;
  if (!isObject(part) || typeof type !== 'string') throw new ConversationError('a content part without type');
  const key = TEXT_PARTS.get(type);
  if (key === undefined) {
    if (OTHER_PARTS.has(type)) throw new ConversationError(`a content part of type ${type} on a text model`);
    throw new ConversationError(`unsupported content part type ${type}`, type);
  }
  const text = part.get(key) ?? undefined;
  if (text !== undefined && typeof text !== 'string')
    throw new ConversationError('a part whose text is none');
  return text;
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
