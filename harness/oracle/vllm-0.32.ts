import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { toolsVllm } from './conversation.ts';
import { type ReasoningSplit, reasoningQwen3 } from './reasoning.ts';
import { type ChatTokenizer, END_OF_TEXT, VOCABULARY } from './tokenizer.ts';

/**
 * A history message as vLLM 0.32 takes it before the rules that both versions share: tool-call arguments that are no JSON
 * object become an empty one, where 0.25.1 fails on text that is no JSON and keeps other values.
 */
export function withObjectArguments(message: JsonObject): JsonObject {
  const calls = message.get('tool_calls');
  if (message.get('role') !== 'assistant' || !Array.isArray(calls)) return message;
  return new Map(message).set('tool_calls', calls.map(objectArguments));
}

function objectArguments(call: Json): Json {
  const fn = isObject(call) ? call.get('function') : undefined;
  const text = isObject(fn) ? fn.get('arguments') : undefined;
  if (!isObject(call) || !isObject(fn) || typeof text !== 'string' || holdsObject(text)) return call;
  return new Map(call).set('function', new Map(fn).set('arguments', '{}'));
}

function holdsObject(text: string): boolean {
  try {
    return isObject(parseJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

const FUNCTION_KEYS = ['name', 'description', 'parameters', 'strict'];

/** Tool definitions as vLLM 0.32 prints them: as 0.25.1, but unknown keys are dropped. */
export function toolsVllm032(tools: readonly Json[]): Json[] {
  return toolsVllm(tools.map(withKnownKeys));
}

function withKnownKeys(tool: Json): Json {
  if (!isObject(tool)) return tool;
  const fn = tool.get('function');
  const known = isObject(fn) ? only(fn, FUNCTION_KEYS) : fn;
  const out = only(tool, ['type']);
  return known === undefined ? out : out.set('function', known);
}

const only = (from: JsonObject, keys: readonly string[]): JsonObject =>
  new Map([...from].filter(([key]) => keys.includes(key)));

/**
 * vLLM 0.32's `qwen3` reasoning parser: that of 0.25.1, but while thinking is on it also drops every special token from
 * reasoning and content, spelled out ones included. The parts around a dropped one never join to a tag.
 */
export function reasoningQwen3Dropping(
  text: string,
  thinking: boolean,
  tokenizer: ChatTokenizer,
): ReasoningSplit {
  if (!thinking) return reasoningQwen3(text, thinking);
  const mark = unusedMark(text);
  const marked = specialTexts(tokenizer).reduce((out, special) => out.replaceAll(special, mark), text);
  const { reasoning, content } = reasoningQwen3(marked, thinking);
  const cleaned = (part: string | null): string | null => part?.replaceAll(mark, '') || null;
  return { reasoning: cleaned(reasoning), content: cleaned(content) };
}

const known = new WeakMap<ChatTokenizer, readonly string[]>();

/** Spelling of every special token; none holds another. */
export function specialTexts(tokenizer: ChatTokenizer): readonly string[] {
  let texts = known.get(tokenizer);
  if (!texts) {
    const ids = Array.from({ length: VOCABULARY - END_OF_TEXT }, (_, index) => END_OF_TEXT + index);
    texts = ids.filter((id) => tokenizer.isSpecial(id)).map((id) => tokenizer.decode([id]));
    known.set(tokenizer, texts);
  }
  return texts;
}

/** A private-use character that is not in the text. */
function unusedMark(text: string): string {
  for (let code = 0xe000; code < 0xf8ff; code++) {
    const mark = String.fromCharCode(code);
    if (!text.includes(mark)) return mark;
  }
  throw new Error('the text uses every private-use character');
}
