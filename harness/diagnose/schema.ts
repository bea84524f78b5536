import { Ajv } from 'ajv';
import { isObject, type Json, type JsonObject, toJs } from '../json/value.ts';
import type { Sides } from './case.ts';
import { readJson } from './json-text.ts';

/** Whether the arguments of both sides fit the schema that the request offered, in one line. */
export function schemaVerdicts({ request, names }: Sides, name: string, good: string, bad: string): string {
  const schema = schemaOf(request, name);
  if (!schema) return 'against the schema: none was sent for it';
  const [left, right] = [faultOf(schema, good), faultOf(schema, bad)];
  if (!left && !right) return good === bad ? 'against the schema: fits' : 'against the schema: both fit';
  const word = (fault: string | undefined): string => fault ?? 'fits';
  if (good === bad) return `against the schema: ${word(left)}`;
  return `against the schema: ${names.good} ${word(left)}; ${names.bad} ${word(right)}`;
}

function schemaOf(request: JsonObject | undefined, name: string): Json | undefined {
  const tools = request?.get('tools');
  for (const tool of Array.isArray(tools) ? tools : []) {
    const fn = isObject(tool) ? tool.get('function') : undefined;
    if (isObject(fn) && fn.get('name') === name) return fn.get('parameters');
  }
  return undefined;
}

function faultOf(schema: Json, text: string): string | undefined {
  const value = readJson(text);
  if (value === undefined) return 'is no JSON';
  try {
    const ajv = new Ajv({ strict: false, logger: false });
    // A schema that says only a type is a schema; ajv tells what is none by throwing.
    const validate = ajv.compile(toJs(schema) as object);
    if (validate(toJs(value))) return undefined;
    const [error] = validate.errors ?? [];
    return `does not fit: ${error?.instancePath || '$'} ${error?.message ?? ''}`.trim();
  } catch {
    return 'cannot be checked: the schema is none that JSON Schema knows';
  }
}
