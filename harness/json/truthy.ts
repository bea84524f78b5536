import { isObject, type Json, JsonNumber } from './value.ts';

/** Python's truth of a JSON value: null, false, zero and whatever is empty are false. */
export function truthy(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (value instanceof JsonNumber) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? value.size > 0 : true;
}
