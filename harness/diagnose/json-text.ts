import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import type { CauseName } from './causes.ts';

/** How two JSON texts with other bytes differ: only in spelling, or in value. */
export interface JsonDifference {
  cause?: CauseName;
  says: string;
  /** The values are equal, only their text differs. */
  spelling: boolean;
}

/** Parsed, or undefined for what is no JSON (Python's NaN and Infinity count as JSON here). */
export function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** JSON by RFC 8259, which Python's NaN is not. */
export function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Why two JSON texts differ; undefined when one of them is no JSON. `bad` is what the sentence speaks of. */
export function jsonDifference(good: string, bad: string): JsonDifference | undefined {
  const [a, b] = [readJson(good), readJson(bad)];
  if (a === undefined || b === undefined) return undefined;
  const equal = printJson(a) === printJson(b);
  const spelling = (cause: CauseName, says: string): JsonDifference => ({ cause, says, spelling: true });
  if (equal) {
    if (escapes(good) !== escapes(bad)) {
      return spelling(
        'unicode-escapes',
        escapes(bad) > escapes(good)
          ? 'characters are escaped as \\uXXXX'
          : 'characters are written out that the other side escapes as \\uXXXX',
      );
    }
    if (tight(good) !== tight(bad)) {
      return { says: 'the same JSON value is written otherwise', spelling: true };
    }
    const fewer = blanks(bad) < blanks(good);
    return spelling('json-spacing', `JSON is printed ${fewer ? 'without' : 'with'} blanks after separators`);
  }
  if (canonical(a) === canonical(b)) return spelling('key-order', 'keys stand in another order');
  if (canonical(a, true) === canonical(b, true)) {
    return spelling('number-respelled', 'a number is spelled otherwise');
  }
  if (typeof b === 'string' && readJson(b) !== undefined && !isObject(b)) {
    const inner = readJson(b);
    if (inner !== undefined && canonical(inner, true) === canonical(a, true)) {
      return { cause: 'arguments-double-encoded', says: 'the value is encoded twice', spelling: false };
    }
  }
  return { ...valueDifference(a, b, '$'), spelling: false };
}

const escapes = (text: string): number => (text.match(/\\u[0-9a-fA-F]{4}/g) ?? []).length;
const blanks = (text: string): number => text.length - tight(text).length;

/** A JSON text without the blanks behind its separators; those within texts stay. */
const tight = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|([:,]) +/g, (all, separator: string | undefined) => separator ?? all);

/** A number by its exact value: sign, digits, power of ten. A double would take neighbours for equal. */
function decimal(lexeme: string): string {
  const [, sign, whole, fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(lexeme) ?? [];
  if (whole === undefined) return lexeme;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return `${sign}0`;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return `${sign}${digits.slice(0, end)}e${BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - end)}`;
}

/** A value with its keys sorted; with `numeric`, numbers by exact value instead of by spelling. */
function canonical(value: Json, numeric = false): string {
  if (value instanceof JsonNumber) return numeric ? decimal(value.lexeme) : value.lexeme;
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, numeric)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = [...value]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, numeric)}`);
  return `{${members.join()}}`;
}

/** The first place at which two values differ, and in what. */
function valueDifference(a: Json, b: Json, path: string): { cause?: CauseName; says: string } {
  if (isObject(a) && isObject(b)) {
    for (const [key, value] of a) {
      const other = b.get(key);
      const at = `${path}.${key}`;
      if (other === undefined) return { cause: 'argument-lost', says: `${at} is missing` };
      if (canonical(value, true) !== canonical(other, true)) return valueDifference(value, other, at);
    }
    const more = [...b.keys()].find((key) => !a.has(key));
    return { says: `${path}.${more} was added` };
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    const at = a.findIndex((item, index) => canonical(item, true) !== canonical(b[index] ?? null, true));
    return valueDifference(a[at] ?? null, b[at] ?? null, `${path}[${at}]`);
  }
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.trim() === b.trim()) {
      const less = b.length < a.length;
      return {
        cause: 'value-stripped',
        says: `blanks around the text at ${path} are ${less ? 'stripped' : 'kept'}`,
      };
    }
    const tag = ['</think>', '<think>'].find((tag) => a.replaceAll(tag, '') === b);
    if (tag) return { cause: 'marker-deleted', says: `${tag} is deleted from the text at ${path}` };
    return { says: `the text at ${path} differs` };
  }
  if (a instanceof JsonNumber && b instanceof JsonNumber) {
    return { says: `the number at ${path} is ${b.lexeme} instead of ${a.lexeme}` };
  }
  const [left, right] = [typeName(a), typeName(b)];
  if (left === right) return { says: `the ${right} at ${path} differs` };
  return { cause: 'value-coerced', says: `the value at ${path} is ${right} instead of ${left}` };
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return 'a number';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'string' ? 'text' : 'a boolean';
}
