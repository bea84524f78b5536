import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { dumpsPython, pythonNumber } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { isReadable, readFinite, readInteger } from './python-numeral.ts';
import { strip } from './strip.ts';

/**
 * Arguments with their values in the types that a tool's `properties` name, as vLLM 0.25.1 corrects them
 * (`vllm/tool_parsers/utils.py`): parameters without a property stay. `changed` is false where nothing had to be done.
 */
export function typedArguments(
  args: JsonObject,
  properties: JsonObject,
): { args: JsonObject; changed: boolean } {
  let changed = false;
  const out: JsonObject = new Map();
  for (const [key, value] of args) {
    const schema = properties.get(key);
    const typed = isObject(schema) ? typedValue(value, schema) : value;
    changed ||= typed !== value;
    out.set(key, typed);
  }
  return { args: out, changed };
}

/** The value itself where its schema asks for nothing else. */
function typedValue(value: Json, schema: JsonObject): Json {
  if (typeof value === 'string') return fromText(value, typesOf(schema));
  if (isObject(value)) {
    const inner = schema.get('properties');
    const typed = isObject(inner) ? typedArguments(value, inner) : undefined;
    return typed?.changed ? typed.args : value;
  }
  if (Array.isArray(value)) {
    const items = schema.get('items');
    if (!isObject(items)) return value;
    const typed = value.map((item) => typedValue(item, items));
    return typed.some((item, index) => item !== value[index]) ? typed : value;
  }
  const typed = fromText(dumpsPython(value), typesOf(schema));
  return isSameScalar(typed, value) ? value : typed;
}

const isSameScalar = (one: Json, other: Json): boolean =>
  one instanceof JsonNumber && other instanceof JsonNumber
    ? pythonNumber(one) === pythonNumber(other)
    : one === other;

const CHOICES = ['anyOf', 'oneOf', 'allOf'];

/** Names of the types that a schema allows, those of its `enum` and of its alternatives included; text if it names none. */
export function typesOf(schema: Json): Set<string> {
  const types = new Set<string>();
  if (isObject(schema)) {
    const type = schema.get('type');
    for (const name of Array.isArray(type) ? type : [type]) if (typeof name === 'string') types.add(name);
    const values = schema.get('enum');
    if (Array.isArray(values)) for (const value of values) types.add(typeOf(value));
    for (const key of CHOICES) {
      const choices = schema.get(key);
      if (Array.isArray(choices))
        for (const name of choices.flatMap((choice) => [...typesOf(choice)])) types.add(name);
    }
  }
  return types.size > 0 ? types : new Set(['string']);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return value.isInteger ? 'integer' : 'number';
  if (isObject(value)) return 'object';
  return Array.isArray(value) ? 'array' : typeof value;
}

const ALIASES = new Map(
  Object.entries({
    string: 'str text varchar char enum',
    integer: 'int int32 int64 uint uint32 uint64 long short unsigned',
    number: 'float float32 float64 double',
    boolean: 'bool',
    object: 'dict',
    array: 'arr list sequence',
  }).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

const WORDS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Readers of the types in the order in which they are tried, whatever the order in a schema. */
const READERS: readonly (readonly [type: string, read: (text: string) => Json | undefined])[] = [
  ['null', (text) => (text.toLowerCase() === 'null' ? null : undefined)],
  ['integer', readInteger],
  ['number', readFinite],
  ['boolean', (text) => WORDS.get(strip(text.toLowerCase()))],
  ['object', readFiniteJson],
  ['array', readFiniteJson],
  ['string', (text) => text],
];

/** A text as the first of the types that takes it; as any JSON, then as it is, where none of them does. */
function fromText(text: string, types: ReadonlySet<string>): Json {
  const names = new Set(
    [...types].map((type) => strip(type).toLowerCase()).map((name) => ALIASES.get(name) ?? name),
  );
  for (const [type, read] of READERS) {
    const value = names.has(type) ? read(text) : undefined;
    if (value !== undefined) return value;
  }
  const any = readFiniteJson(text);
  return any === undefined ? text : any;
}

/** JSON of any kind, unless it holds a number that JSON cannot spell. */
function readFiniteJson(text: string): Json | undefined {
  const value = readPythonJson(text);
  return value !== undefined &&
    everyNumber(value, (number) => number.isInteger || Number.isFinite(number.value))
    ? value
    : undefined;
}

/** Python's `json.loads`; undefined where it raises a ValueError. */
export function readPythonJson(text: string): Json | undefined {
  try {
    const value = parseJson(text);
    return everyNumber(value, isReadable) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function everyNumber(value: Json, holds: (number: JsonNumber) => boolean): boolean {
  if (value instanceof JsonNumber) return holds(value);
  const items = isObject(value) ? [...value.values()] : Array.isArray(value) ? value : [];
  return items.every((item) => everyNumber(item, holds));
}
