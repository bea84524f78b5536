import { pythonFloat } from '../json/print.ts';
import { JsonNumber } from '../json/value.ts';

/** White space as `int()`, `float()` and patterns of Python's `regex` package see it: without U+001C to U+001F, which `str.strip` takes. */
export const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

const AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');
const DIGITS = '\\d(?:_?\\d)*';
const INTEGER = new RegExp(`^[+-]?${DIGITS}$`);
const FLOAT = new RegExp(`^[+-]?(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);
/** Python refuses to read longer integers. */
const MAX_DIGITS = 4300;

/** Python's `int(text)`; undefined where it raises. */
export function readInteger(text: string): JsonNumber | undefined {
  const numeral = plain(text);
  if (!INTEGER.test(numeral)) return undefined;
  const digits = numeral.replace(/[+_-]/g, '');
  if (digits.length > MAX_DIGITS) return undefined;
  return new JsonNumber((numeral.startsWith('-') ? -BigInt(digits) : BigInt(digits)).toString());
}

/** Python's `float(text)`, as an integer where it is whole; undefined where it raises or gives no finite number. */
export function readFinite(text: string): JsonNumber | undefined {
  const numeral = plain(text);
  if (!FLOAT.test(numeral)) return undefined;
  const value = Number(numeral.replaceAll('_', ''));
  if (!Number.isFinite(value)) return undefined;
  return new JsonNumber(Number.isInteger(value) ? BigInt(value).toString() : pythonFloat(value));
}

/** Whether Python's `json.loads` takes a number: it refuses integers that are too long. */
export const isReadable = (number: JsonNumber): boolean =>
  !number.isInteger || number.lexeme.replace('-', '').length <= MAX_DIGITS;

/** Without white space around, every decimal digit as its ASCII one. */
const plain = (text: string): string =>
  text.replace(AROUND, '').replace(/[^\0-\x7f]/gu, (char) => (/\p{Nd}/u.test(char) ? digitOf(char) : char));

/** Decimal digits come in runs of ten, zero first, so the place in the run is the value. */
function digitOf(char: string): string {
  let before = 0;
  for (let code = (char.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code--)
    before++;
  return String(before % 10);
}
