import { parseJson } from '../json/parse.ts';
import { truthy } from '../json/truthy.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { checkToolCalls } from './tool-calls-trtllm.ts';

/**
 * A conversation that TensorRT-LLM cannot read. NeMo-RL's server answers its ValueErrors with 400 and their text as `answer`;
 * everything else escapes as a 500, and `answer` is undefined.
 */
export class TrtllmConversationError extends Error {
  readonly answer: string | undefined;
  constructor(message: string, answer?: string) {
    super(message);
    this.name = 'TrtllmConversationError';
    this.answer = answer;
  }
}

const fails = (reason: string): TrtllmConversationError => new TrtllmConversationError(reason);
const refuses = (text: string): TrtllmConversationError => new TrtllmConversationError(text, text);

/**
 * Messages as TensorRT-LLM's chat utilities hand them to the template (`tensorrt_llm/serve/chat_utils.py` as NeMo-RL calls it,
 * near 1.3.0rc21). Content becomes one text, its parts joined by newline and empty ones left out; of all other keys only
 * `tool_calls`, `tool_call_id` and the reasoning survive, the latter as `reasoning_content`, a non-null `reasoning` winning.
 * A role is not looked at, so that an unknown one reaches the template. Throws {@link TrtllmConversationError}.
 */
export function conversationTrtllm(messages: readonly Json[]): JsonObject[] {
  return messages.map(prepared);
}

function prepared(message: Json): JsonObject {
  const role = isObject(message) ? message.get('role') : undefined;
  if (!isObject(message) || role === undefined) throw fails('a message without a role');
  const { text, media } = contentOf(message.get('content') ?? null);
  const out: JsonObject = new Map<string, Json>([
    ['role', role],
    ['content', text],
    ['media', []],
  ]);
  if (role === 'assistant') {
    const reasoning = message.get('reasoning') ?? message.get('reasoning_content') ?? null;
    if (reasoning !== null) out.set('reasoning_content', reasoning);
    const calls = message.get('tool_calls') ?? null;
    if (calls !== null) out.set('tool_calls', callsOf(calls));
  }
  if (role === 'tool') {
    const id = message.get('tool_call_id');
    if (id !== undefined) out.set('tool_call_id', id);
  }
  // Media are looked at last, when the message is otherwise read: no text model has a place for them.
  if (media) throw fails('media on a text model');
  return out;
}

/** An object is iterated like a list, so that its keys become the text. */
function contentOf(content: Json): { text: string; media: boolean } {
  if (content === null) return { text: '', media: false };
  if (typeof content === 'string') return { text: content, media: false };
  if (!Array.isArray(content) && !isObject(content)) throw fails('content cannot be iterated');
  const parts = [...(isObject(content) ? content.keys() : content)].map(partOf);
  return {
    text: parts.filter((part) => typeof part === 'string' && part !== '').join('\n'),
    media: parts.includes(MEDIA),
  };
}

const MEDIA = Symbol('media');
/** Part types with media, and under which key their part holds it. */
const MEDIA_PARTS = new Map([
  ['image_url', 'url'],
  ['video_url', 'url'],
  ['audio_url', 'url'],
  ['image_embeds', 'data'],
]);

/** Text of a part, undefined for a part that is skipped. */
function partOf(part: Json): string | typeof MEDIA | undefined {
  if (typeof part === 'string') return part;
  if (!isObject(part)) throw fails('a part that is neither text nor an object');
  const type = part.get('type');
  if (typeof type !== 'string') throw refuses("Invalid 'type' field in multimodal part.");
  if (type === 'text') {
    const text = part.get('text');
    if (typeof text !== 'string' && truthy(text)) throw fails('a text part whose text is none');
    return typeof text === 'string' ? text : undefined;
  }
  if (type === 'input_audio') return audioOf(part.get('input_audio') ?? null);
  const key = MEDIA_PARTS.get(type);
  if (key === undefined) throw fails(`a content part of type ${type}`);
  const value = part.has(type) ? part.get(type) : new Map();
  if (!isObject(value)) throw fails(`${type} is no object`);
  return (value.get(key) ?? null) === null ? undefined : MEDIA;
}

function audioOf(audio: Json): typeof MEDIA | undefined {
  if (audio === null) return undefined;
  if (!isObject(audio)) throw fails('input_audio is no object');
  const data = audio.get('data');
  if (typeof data === 'string' && data !== '') return MEDIA;
  throw refuses("input_audio part is missing a non-empty 'data' field with base64-encoded audio content.");
}

/** Calls with their arguments as values. What is no list is listed as Python does: a text by character, an object by key. */
function callsOf(calls: Json): Json[] {
  if (typeof calls === 'string' || isObject(calls)) {
    const [first] = typeof calls === 'string' ? calls : calls.keys();
    if (first === undefined) return [];
    if (first === '') throw fails('a call without function');
    throw refuses('dictionary update sequence element #0 has length 1; 2 is required');
  }
  if (!Array.isArray(calls)) throw fails('tool_calls cannot be listed');
  const { calls: checked, problem } = checkToolCalls(calls);
  if (problem !== undefined) throw refuses(problem);
  return checked.map(({ call, fn }, index) =>
    new Map(call).set(
      'function',
      new Map(fn).set('arguments', argumentsOf(fn.get('arguments') ?? null, index)),
    ),
  );
}

function argumentsOf(value: Json, index: number): JsonObject {
  if (value === null) return new Map();
  if (isObject(value)) return value;
  const name = `tool_calls[${index}].function.arguments`;
  if (typeof value !== 'string') throw refuses(`${name} must be an object.`);
  let read: Json;
  try {
    read = parseJson(value);
  } catch {
    throw refuses(`${name} must be valid JSON.`);
  }
  if (!isObject(read)) throw refuses(`${name} must be a JSON object.`);
  return read;
}
