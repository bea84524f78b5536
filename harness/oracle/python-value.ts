import { pythonNumber } from '../json/print.ts';
import { type Json, JsonNumber, type JsonObject } from '../json/value.ts';

/** A value that Python reads but `json.dumps` has no form for: bytes, a set, a complex number, an ellipsis. */
export const UNPRINTABLE = Symbol('unprintable');
export type Literal = Json | typeof UNPRINTABLE;

const isPrintable = (item: Literal): item is Json => item !== UNPRINTABLE;

/** A list, unless an item has no form. */
export function listOf(items: readonly Literal[]): Literal {
  const printable = items.filter(isPrintable);
  return printable.length === items.length ? printable : UNPRINTABLE;
}

/** Keys as `json.dumps` spells them; a key that is no scalar has no spelling. */
export function dictOf(keys: readonly Literal[], values: readonly Literal[]): Literal {
  const out: JsonObject = new Map();
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (value === undefined || !isPrintable(value) || !isPrintable(key)) return UNPRINTABLE;
    if (typeof key === 'object' && key !== null && !(key instanceof JsonNumber)) return UNPRINTABLE;
    out.set(key instanceof JsonNumber ? pythonNumber(key) : String(key), value);
  }
  return out;
}
