import { isObject, type Json, type JsonObject } from '../json/value.ts';

/** A call whose shape is right, its keys in the order in which the request model keeps them. */
export interface ShapedCall {
  call: JsonObject;
  fn: JsonObject;
}

const CALL_FIELDS = ['id', 'type', 'function'];
const FUNCTION_FIELDS = ['name', 'arguments'];
const NO_TEXT = 'is invalid: Input should be a valid string';

/**
 * The lenient model TensorRT-LLM reads an assistant's calls with: every call and its function are objects, `id`, `type` and
 * `name` are texts or null, `arguments` a text, an object or null, and other keys are kept. `problem` is the first complaint
 * over all calls in the server's words; it comes before any arguments are read.
 */
export function checkToolCalls(calls: readonly Json[]): { calls: ShapedCall[]; problem?: string } {
  const shaped: ShapedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const problem = problemOf(call);
    const fn = isObject(call) ? call.get('function') : undefined;
    if (problem !== undefined || !isObject(call) || !isObject(fn)) {
      return { calls: shaped, problem: `tool_calls[${index}]${problem}` };
    }
    shaped.push({ call: inOrder(call, CALL_FIELDS), fn: inOrder(fn, FUNCTION_FIELDS) });
  }
  return { calls: shaped };
}

function problemOf(call: Json): string | undefined {
  if (!isObject(call)) return ' must be an object.';
  for (const key of ['id', 'type']) if (!isTextOrNull(call.get(key))) return `.${key} ${NO_TEXT}`;
  const fn = call.get('function');
  if (fn === undefined) return '.function is required.';
  if (!isObject(fn)) return '.function must be an object.';
  if (!isTextOrNull(fn.get('name'))) return `.function.name ${NO_TEXT}`;
  const args = fn.get('arguments');
  return isTextOrNull(args) || isObject(args) ? undefined : `.function.arguments.str ${NO_TEXT}`;
}

const isTextOrNull = (value: Json | undefined): boolean =>
  value === undefined || value === null || typeof value === 'string';

/** The model's own fields first, then the others as they came. */
function inOrder(object: JsonObject, fields: readonly string[]): JsonObject {
  const out: JsonObject = new Map();
  for (const field of fields) {
    const value = object.get(field);
    if (value !== undefined) out.set(field, value);
  }
  for (const [key, value] of object) out.set(key, value);
  return out;
}
