import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';

/** Where a value sits: `['body', 'messages', 1]`. */
export type Loc = readonly (string | number)[];

/** Collects what pydantic would report, in its order and wording. */
export class Problems {
  readonly details: JsonObject[] = [];

  add(type: string, loc: Loc, msg: string, input: Json, ctx?: JsonObject): undefined {
    const entry: JsonObject = new Map<string, Json>([
      ['type', type],
      ['loc', loc.map((step) => (typeof step === 'number' ? new JsonNumber(String(step)) : step))],
      ['msg', msg],
      ['input', input],
    ]);
    if (ctx) entry.set('ctx', ctx);
    this.details.push(entry);
    return undefined;
  }
}

/** Reads one value; undefined once a problem was added. */
export type Reader<T> = (value: Json, loc: Loc, problems: Problems) => T | undefined;

export const missing = (problems: Problems, loc: Loc, input: Json): undefined =>
  problems.add('missing', loc, 'Field required', input);

const literalText = (options: readonly string[]): string => {
  const quoted = options.map((option) => `'${option}'`);
  const last = quoted.at(-1) ?? '';
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${last}` : last;
};

export const literal =
  <const T extends string>(...options: T[]): Reader<T> =>
  (value, loc, problems) => {
    const found = options.find((option) => option === value);
    if (found !== undefined) return found;
    const expected = literalText(options);
    return problems.add(
      'literal_error',
      loc,
      `Input should be ${expected}`,
      value,
      new Map([['expected', expected]]),
    );
  };

export const text: Reader<string> = (value, loc, problems) =>
  typeof value === 'string'
    ? value
    : problems.add('string_type', loc, 'Input should be a valid string', value);

/** Lax integers: true, `1.0` and "1" pass, as pydantic lets them. */
export const integer: Reader<number> = (value, loc, problems) => {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof JsonNumber) {
    if (Number.isInteger(value.value)) return value.value;
    const fraction = 'Input should be a valid integer, got a number with a fractional part';
    return problems.add('int_from_float', loc, fraction, value);
  }
  if (typeof value !== 'string')
    return problems.add('int_type', loc, 'Input should be a valid integer', value);
  if (/^\s*[-+]?\d+(_\d+)*(\.0*)?\s*$/.test(value)) return Number(value.replaceAll('_', ''));
  const unparsed = 'Input should be a valid integer, unable to parse string as an integer';
  return problems.add('int_parsing', loc, unparsed, value);
};

/** Lax numbers: true and "0.5" pass. */
export const number: Reader<number> = (value, loc, problems) => {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof JsonNumber) return value.value;
  if (typeof value !== 'string')
    return problems.add('float_type', loc, 'Input should be a valid number', value);
  if (/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return Number(value);
  const unparsed = 'Input should be a valid number, unable to parse string as a number';
  return problems.add('float_parsing', loc, unparsed, value);
};

const TRUE = new Set(['1', 'on', 't', 'true', 'y', 'yes']);
const FALSE = new Set(['0', 'f', 'false', 'n', 'no', 'off']);

export const flag: Reader<boolean> = (value, loc, problems) => {
  if (typeof value === 'boolean') return value;
  const word =
    value instanceof JsonNumber
      ? String(value.value)
      : typeof value === 'string'
        ? value.toLowerCase()
        : undefined;
  if (word === undefined) return problems.add('bool_type', loc, 'Input should be a valid boolean', value);
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  return problems.add(
    'bool_parsing',
    loc,
    'Input should be a valid boolean, unable to interpret input',
    value,
  );
};

export const list =
  <T>(item: Reader<T>): Reader<T[]> =>
  (value, loc, problems) => {
    if (!Array.isArray(value)) return problems.add('list_type', loc, 'Input should be a valid list', value);
    const out = value.map((entry, index) => item(entry, [...loc, index], problems));
    return out.every((entry) => entry !== undefined) ? (out as T[]) : undefined; // none is undefined: just checked
  };

export const dictionary: Reader<JsonObject> = (value, loc, problems) =>
  isObject(value) ? value : problems.add('dict_type', loc, 'Input should be a valid dictionary', value);

export const nullable =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, loc, problems) =>
    value === null ? null : reader(value, loc, problems);

/** A union: the first member that reads the value, else every member's problems under its name. */
export const union =
  <T>(members: readonly (readonly [name: string, reader: Reader<T>])[]): Reader<T> =>
  (value, loc, problems) => {
    const all: JsonObject[] = [];
    for (const [name, reader] of members) {
      const own = new Problems();
      const read = reader(value, [...loc, name], own);
      if (read !== undefined && own.details.length === 0) return read;
      all.push(...own.details);
    }
    problems.details.push(...all);
    return undefined;
  };
