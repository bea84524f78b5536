/**
 * JSON as the two servers see it: number spelling and key order survive, unlike in JavaScript values.
 * Tool schemas carry `1.0`, `1e-7` and 2^53+1, and an object may have keys such as "2" and "1" in that order.
 */
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;

/** An object with its keys in the order of the text; a repeated key keeps its first place and last value, as in Python. */
export interface JsonObject extends Map<string, Json> {}

/** A number by its spelling (`1e-7`, `9007199254740993`; also Python's `NaN`, `Infinity`, `-Infinity`). */
export class JsonNumber {
  readonly lexeme: string;
  /** The nearest double; integers above 2^53 lose digits here, so never compare through it. */
  readonly value: number;

  constructor(lexeme: string) {
    this.lexeme = lexeme;
    this.value = Number(lexeme);
  }

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.lexeme);
  }
}

export const isObject = (value: Json | undefined): value is JsonObject => value instanceof Map;

/** Plain JavaScript data for schema validation; numbers become doubles. */
export function toJs(value: Json): unknown {
  if (value instanceof JsonNumber) return value.value;
  if (Array.isArray(value)) return value.map(toJs);
  if (isObject(value)) return Object.fromEntries([...value].map(([key, item]) => [key, toJs(item)]));
  return value;
}

/** The inverse of {@link toJs}, for values this program made itself; `undefined` members are left out. */
export function fromJs(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return new JsonNumber(JSON.stringify(value));
  if (value instanceof JsonNumber || value instanceof Map) return value as Json; // already lossless
  if (Array.isArray(value)) return value.map(fromJs);
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return new Map(entries.map(([key, item]) => [key, fromJs(item)]));
  }
  throw new TypeError(`not a JSON value: ${typeof value}`);
}
