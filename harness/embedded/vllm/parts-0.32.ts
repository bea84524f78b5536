import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { PART_TYPES } from '../../oracle/conversation.ts';
import { exception } from '../refusal.ts';
import { lazyProblems } from './lazy-parts.ts';
import { unknownPart } from './version-0.25.ts';

/** Part types that carry text, with the key that holds it. */
const TEXTS = new Map([
  ['text', 'text'],
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['refusal', 'refusal'],
  ['thinking', 'thinking'],
  ['tool_reference', 'name'],
]);
/** Roles with a model of their own; parts of any other role are only read by the eager one. */
const TYPED = new Set(['developer', 'system', 'user', 'assistant', 'tool']);
/** Every part type vLLM 0.32 lists in its refusal, sorted. */
const KNOWN = [...PART_TYPES, 'video_embeds'].sort();

/**
 * A message whose content is text, as vLLM 0.32 makes it of parts: texts join by newline, empty ones vanish, an empty list is
 * no text. Throws what the server refuses: parts that no part of the role's model fits, media, and unknown types.
 */
export function withTextContent(message: JsonObject, model: string): JsonObject {
  const content = message.get('content');
  if (isObject(content)) throw lazyProblems(String(message.get('role')), [...content.keys()][0] ?? '');
  if (!Array.isArray(content)) return message;
  const [first] = content;
  const role = String(message.get('role'));
  if (first !== undefined && TYPED.has(role) && !content.some(isKnown)) throw lazyProblems(role, first);
  const texts = content.map((part) => textOf(part, model)).filter((text) => text !== '');
  return new Map(message).set('content', texts.join('\n'));
}

/** Whether the eager model of parts recognises a part; one is enough for the whole list to be read by it. */
function isKnown(part: Json): boolean {
  if (!isObject(part)) return false;
  const type = part.get('type');
  const key = typeof type === 'string' ? TEXTS.get(type) : undefined;
  if (key === undefined) return typeof type === 'string' && part.has(type);
  return typeof part.get(key) === 'string' && type !== 'input_text' && type !== 'output_text';
}

function textOf(part: Json, model: string): string {
  if (typeof part === 'string') return part;
  const type = isObject(part) ? part.get('type') : undefined;
  if (!isObject(part) || typeof type !== 'string') throw exception('a content part without type');
  const key = TEXTS.get(type);
  if (key !== undefined) {
    const text = part.get(key);
    return typeof text === 'string' ? text : '';
  }
  if (!KNOWN.includes(type)) throw unknownPart(type, KNOWN);
  throw exception('media on a text model', `${model} is not a multimodal model`);
}
