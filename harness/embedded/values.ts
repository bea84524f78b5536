import { randomBytes } from 'node:crypto';
import { type Json, JsonNumber } from '../json/value.ts';

/** JSON values of an answer, numbers spelled as Python spells them. */
export const int = (value: number): JsonNumber => new JsonNumber(String(value));
export const ints = (values: readonly number[]): Json[] => values.map(int);
export const float = (value: number): JsonNumber =>
  new JsonNumber(Number.isInteger(value) ? `${value}.0` : `${value}`);
export const floats = (values: readonly number[]): Json[] => values.map(float);

/** Random hexadecimal digits, an even number of them. */
export const hex = (digits: number): string => randomBytes(digits / 2).toString('hex');
/** Seconds since 1970. */
export const now = (): JsonNumber => int(Math.floor(Date.now() / 1000));
