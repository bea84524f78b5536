import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { type Loc, literal, missing, Problems, text } from '../fastapi/pydantic.ts';

/**
 * Tool calls are read lazily, after the model stands: the first bad call is reported, without naming its message.
 * Returns the details, empty when all calls are good.
 */
export function toolCallProblems(calls: readonly Json[]): readonly JsonObject[] {
  for (const [index, call] of calls.entries()) {
    const own = new Problems();
    functionCall(call, ['body', index, 'ChatCompletionMessageFunctionToolCallParam'], own);
    const custom = new Problems();
    customCall(call, ['body', index, 'ChatCompletionMessageCustomToolCallParam'], custom);
    if (own.details.length > 0 && custom.details.length > 0) return [...own.details, ...custom.details];
  }
  return [];
}

/** Whether an assistant message calls a tool that is no function, which the request model allows. */
export function callsCustomTool(message: JsonObject): boolean {
  const calls = message.get('tool_calls');
  if (message.get('role') !== 'assistant' || !Array.isArray(calls)) return false;
  return calls.some((call) => isObject(call) && !isObject(call.get('function')));
}

function functionCall(call: Json, loc: Loc, problems: Problems): void {
  if (!isObject(call)) return void problems.add('dict_type', loc, 'Input should be a valid dictionary', call);
  requiredText(call, 'id', loc, problems);
  const fn = call.get('function');
  const inside = [...loc, 'function'];
  if (fn === undefined) missing(problems, inside, call);
  else if (!isObject(fn)) problems.add('dict_type', inside, 'Input should be a valid dictionary', fn);
  else {
    requiredText(fn, 'arguments', inside, problems);
    requiredText(fn, 'name', inside, problems);
  }
  requiredType(call, 'function', loc, problems);
}

function customCall(call: Json, loc: Loc, problems: Problems): void {
  if (!isObject(call)) return void problems.add('dict_type', loc, 'Input should be a valid dictionary', call);
  requiredText(call, 'id', loc, problems);
  if (!call.has('custom')) missing(problems, [...loc, 'custom'], call);
  requiredType(call, 'custom', loc, problems);
}

function requiredText(from: JsonObject, key: string, loc: Loc, problems: Problems): void {
  const value = from.get(key);
  if (value === undefined) missing(problems, [...loc, key], from);
  else text(value, [...loc, key], problems);
}

function requiredType(call: JsonObject, type: string, loc: Loc, problems: Problems): void {
  const value = call.get('type');
  if (value === undefined) missing(problems, [...loc, 'type'], call);
  else literal(type)(value, [...loc, 'type'], problems);
}
