import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { checkBefore } from './before.ts';
import { internal, unprocessable } from './errors.ts';
import { FIELDS } from './fields.ts';
import { message } from './messages.ts';
import { integer, type Loc, list, missing, Problems, type Reader } from './pydantic.ts';
import { toolCallProblems } from './tool-calls.ts';

type Fields = typeof FIELDS;
type Value<K extends keyof Fields> = Fields[K] extends readonly [Reader<infer T>, infer D]
  ? T | (D extends undefined ? undefined : never)
  : never;

/** A validated request; names and defaults are vLLM's. */
export type ChatRequest = { [K in keyof Fields]: Value<K> } & {
  messages: JsonObject[];
  /** Ids carried by the request or by a message, the request winning; null without any. */
  required_prefix_token_ids: number[] | null;
};

/**
 * Reads a chat request as FastAPI and vLLM's request model do. Throws a refusal: 422 with pydantic's details, 500 where a
 * validator fails outright.
 */
export function readChatRequest(body: Json): ChatRequest {
  if (!isObject(body)) throw internal('a validator calls .get on the body');
  const fields = new Map(body); // tool_choice may be set
  checkBefore(fields);
  const request = readFields(fields, FIELDS, ['body']);
  request.required_prefix_token_ids ??= carriedIds(request.messages);
  for (const entry of request.messages) {
    const calls = entry.get('tool_calls') ?? null;
    if (calls === null) continue;
    if (!Array.isArray(calls)) throw internal('tool_calls cannot be listed');
    const details = toolCallProblems(calls);
    if (details.length > 0) throw unprocessable(details);
  }
  if (request.messages.length === 0) throw internal('the last message is asked for');
  return request;
}

function readFields(body: JsonObject, fields: Fields, loc: Loc): ChatRequest {
  const problems = new Problems();
  const out: Record<string, unknown> = {};
  const messages = body.get('messages');
  if (messages === undefined) missing(problems, [...loc, 'messages'], body);
  else out.messages = list(message)(messages, [...loc, 'messages'], problems);
  for (const [name, [read, absent]] of Object.entries(fields)) {
    const value = body.get(name);
    out[name] = value === undefined ? absent : (read as Reader<unknown>)(value, [...loc, name], problems);
  }
  if (problems.details.length > 0) throw unprocessable(problems.details);
  return out as unknown as ChatRequest; // every field was read by its own reader, or has its default
}

/**
 * NeMo-RL's rule for ids on messages: the last message of any role that has `prompt_token_ids` supplies them. A missing
 * partner is a KeyError, anything that cannot be joined a TypeError, ids that are no integers fail in the engine: all 500.
 */
function carriedIds(messages: readonly JsonObject[]): number[] | null {
  const carrier = messages.findLast((entry) => entry.has('prompt_token_ids'));
  if (!carrier) return null;
  const ids = ['prompt_token_ids', 'generation_token_ids'].flatMap((key) => {
    const value = carrier.get(key);
    if (!Array.isArray(value))
      throw internal(`${key} of a message is ${value === undefined ? 'missing' : 'no list'}`);
    return value;
  });
  const problems = new Problems();
  return ids.map((id) => {
    const whole = typeof id === 'object' && id !== null && 'lexeme' in id && id.isInteger;
    const read = whole ? integer(id, [], problems) : undefined;
    if (read === undefined) throw internal('an id of a message is not an integer');
    return read;
  });
}
