import { parseJson } from '../json/parse.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import type { Alternative, ToolCall, Usage } from '../schemas/types.ts';
import type { Reading } from './dialect.ts';

/** The choice and message of a chat completion, or why there is none. */
export type ChatAnswer =
  | { ok: true; body: JsonObject; choice: JsonObject; message: JsonObject }
  | { ok: false; reading: Reading };

/** The JSON of a 200, or what came instead. */
export type JsonAnswer = { ok: true; body: Json } | { ok: false; reading: Reading };

export const unreadable = (error: string): { ok: false; reading: Reading } => ({
  ok: false,
  reading: { outcome: 'unreadable', http_status: 200, error },
});

/** Reads the body of a 200 as JSON. */
export function jsonAnswer(status: number, text: string): JsonAnswer {
  if (status !== 200) {
    return { ok: false, reading: { outcome: 'refused', http_status: status, error: clip(text) } };
  }
  try {
    return { ok: true, body: parseJson(text) };
  } catch (error) {
    if (/^data: /.test(text)) return unreadable('a stream of events came, though none was asked for');
    return unreadable(`the body is not JSON: ${(error as Error).message}`);
  }
}

/** The only choice of a completion body. */
export function onlyChoice(body: Json): JsonObject | undefined {
  const choices = isObject(body) ? body.get('choices') : undefined;
  const choice = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  return isObject(choice) ? choice : undefined;
}

/** Finds the one message of a chat completion body. */
export function chatAnswer(status: number, text: string): ChatAnswer {
  const answer = jsonAnswer(status, text);
  if (!answer.ok) return answer;
  const { body } = answer;
  const choice = onlyChoice(body);
  const message = choice?.get('message');
  if (!isObject(body) || !choice || !isObject(message)) {
    return unreadable('the body has no `choices` with one `message`');
  }
  const fault = shapeFault(message);
  if (fault) return unreadable(fault);
  return { ok: true, body, choice, message };
}

/** A field of a type it cannot have. Read as something near it, it could pass for an equal value. */
function shapeFault(message: JsonObject): string | undefined {
  for (const key of ['content', 'reasoning', 'reasoning_content']) {
    const value = message.get(key);
    if (value !== undefined && value !== null && typeof value !== 'string') {
      return `message.${key} is neither text nor null`;
    }
  }
  const calls = message.get('tool_calls') ?? [];
  if (!Array.isArray(calls)) return 'message.tool_calls is no list';
  const bad = calls.findIndex((call) => {
    const fn = isObject(call) ? call.get('function') : undefined;
    return !isObject(fn) || typeof fn.get('name') !== 'string' || typeof fn.get('arguments') !== 'string';
  });
  return bad === -1
    ? undefined
    : `message.tool_calls[${bad}] has no function with name and arguments as text`;
}

/** The fields every dialect spells alike. A key that is absent stays absent. */
export function commonFields({ body, choice, message }: Extract<ChatAnswer, { ok: true }>): Reading {
  const role = message.get('role');
  const reading: Reading = {
    outcome: 'answered',
    http_status: 200,
    role: typeof role === 'string' ? role : null,
    choice_index: finite(choice.get('index')),
    ...messageFields(message),
  };
  const finish = choice.get('finish_reason');
  if (finish === null || typeof finish === 'string') reading.finish_reason = finish;
  const usage = usageOf(body.get('usage'));
  if (usage) reading.usage = usage;
  const alternatives = alternativesOf(choice);
  if (alternatives) reading.top_logprobs = alternatives;
  return reading;
}

/** What a message of the right shape says. */
export function messageFields(message: JsonObject): Partial<Reading> {
  const reading: Partial<Reading> = {};
  const content = message.get('content');
  if (content === null || typeof content === 'string') reading.content = content;
  for (const name of ['reasoning', 'reasoning_content'] as const) {
    const text = message.get(name);
    if (text !== undefined && reading.reasoning_field === undefined) {
      reading.reasoning = typeof text === 'string' ? text : null; // its shape was checked
      reading.reasoning_field = name;
    }
  }
  const calls = message.get('tool_calls');
  if (calls === null) reading.tool_calls = null;
  else if (Array.isArray(calls)) reading.tool_calls = calls.map(toolCall);
  return reading;
}

function toolCall(call: Json): ToolCall {
  const fn = isObject(call) ? call.get('function') : undefined;
  const text = (key: string): string => String(isObject(fn) ? fn.get(key) : ''); // its shape was checked
  const out: ToolCall = { name: text('name'), arguments: text('arguments') };
  for (const key of ['id', 'type'] as const) {
    const value = isObject(call) ? call.get(key) : undefined;
    if (value === null || typeof value === 'string') out[key] = value;
  }
  return out;
}

export function usageOf(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const count = (key: string): number => integer(value.get(key)) ?? 0;
  return {
    prompt_tokens: count('prompt_tokens'),
    completion_tokens: count('completion_tokens'),
    total_tokens: count('total_tokens'),
  };
}

function alternativesOf(choice: JsonObject): Alternative[][] | undefined {
  const logprobs = choice.get('logprobs');
  const content = isObject(logprobs) ? logprobs.get('content') : undefined;
  if (!Array.isArray(content)) return undefined;
  const rows = content.map((entry) => {
    const top = isObject(entry) ? entry.get('top_logprobs') : undefined;
    return Array.isArray(top) ? top.filter(isObject) : [];
  });
  if (rows.every((row) => row.length === 0)) return undefined;
  return rows.map((row) =>
    row.map((entry) => ({ token: String(entry.get('token')), logprob: finite(entry.get('logprob')) })),
  );
}

/** A list of non-negative integers, or undefined when it is anything else. */
export function idList(value: Json | undefined): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = value.map(integer);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

/** Log-probs as doubles; what is no finite number becomes null and is reported later. */
export function numberList(value: Json | undefined): (number | null)[] | undefined {
  return Array.isArray(value) ? value.map(finite) : undefined;
}

export function integer(value: Json | undefined): number | undefined {
  if (!(value instanceof JsonNumber)) return undefined;
  const number = value.value;
  return number >= 0 && Number.isSafeInteger(number) && String(number) === value.lexeme ? number : undefined;
}

export function finite(value: Json | undefined): number | null {
  return value instanceof JsonNumber && Number.isFinite(value.value) ? value.value : null;
}

/** Error bodies can echo a whole request; the raw one is in the exchange. */
const clip = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
