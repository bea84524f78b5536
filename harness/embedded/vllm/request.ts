import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { type Loc, list, missing, Problems, type Reader } from '../fastapi/pydantic.ts';
import { exception, refusedFields } from '../refusal.ts';
import { checkBefore } from './before.ts';
import type { FIELDS } from './fields.ts';
import { message } from './messages.ts';
import { notIterable } from './python-repr.ts';
import { toolCallProblems } from './tool-calls.ts';

/** Readers of a request model's fields, each with what an absent field means. */
export type Fields = Record<string, readonly [Reader<unknown>, unknown]>;
type Value<F> = F extends readonly [Reader<infer T>, infer D]
  ? T | (D extends undefined ? undefined : never)
  : never;

/** A validated body. */
export type Model<F extends Fields> = { -readonly [K in keyof F]: Value<F[K]> };
/** A validated request; names and defaults are vLLM's. */
export type Request<F extends Fields> = Model<F> & { messages: JsonObject[] };
export type ChatRequest = Request<typeof FIELDS>;

const MODEL = 'Input should be a valid dictionary or object to extract fields from';

/** Reads a chat request as FastAPI and vLLM's request model do. Throws a refusal. */
export function readChatRequest<F extends Fields>(body: JsonObject, fields: F): Request<F> {
  const all = new Map(body); // tool_choice may be set
  checkBefore(all);
  const request = readFields(all, fields);
  for (const entry of request.messages) {
    const calls = entry.get('tool_calls') ?? null;
    if (calls === null) continue;
    const listed = typeof calls === 'string' ? [...calls] : isObject(calls) ? [...calls.keys()] : calls;
    if (!Array.isArray(listed)) throw exception('tool_calls cannot be listed', notIterable(calls));
    const details = toolCallProblems(listed);
    if (details.length > 0) throw refusedFields(details);
  }
  return request;
}

/** The body as an object; pydantic's refusal of anything else. */
export function objectBody(body: Json): JsonObject {
  if (isObject(body)) return body;
  const problems = new Problems();
  problems.add('model_attributes_type', ['body'], MODEL, body);
  throw refusedFields(problems.details);
}

/** Reads messages and fields of a body. Throws pydantic's refusal with every problem. */
export function readFields<F extends Fields>(body: JsonObject, fields: F): Request<F> {
  return readModel(body, { messages: [list(message), MISSING], ...fields }) as Request<F>; // the spread forgets F
}

/** Marks a field that must be there. */
export const MISSING = Symbol('required');

/** Reads the fields of a model. Throws pydantic's refusal with every problem. */
export function readModel<F extends Fields>(body: JsonObject, fields: F): Model<F> {
  const problems = new Problems();
  const model = readInto(body, fields, ['body'], problems);
  if (problems.details.length > 0) throw refusedFields(problems.details);
  return model;
}

/** Reads the fields of a model that sits at `loc`; what is wrong is added to the problems, and then the model is not whole. */
export function readInto<F extends Fields>(
  body: JsonObject,
  fields: F,
  loc: Loc,
  problems: Problems,
): Model<F> {
  const out: Record<string, unknown> = {};
  for (const [name, [read, absent]] of Object.entries(fields)) {
    const value = body.get(name);
    if (value !== undefined) out[name] = read(value, [...loc, name], problems);
    else if (absent === MISSING) missing(problems, [...loc, name], body);
    else out[name] = absent;
  }
  return out as Model<F>; // every field was read by its own reader, or has its default
}
