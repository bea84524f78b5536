import { type Json, JsonNumber, type JsonObject } from './value.ts';

interface Style {
  item: string;
  key: string;
  number: (number: JsonNumber) => string;
  text: (text: string) => string;
  printed?: Printed;
}

const COMPACT: Style = { item: ',', key: ':', number: (number) => number.lexeme, text: JSON.stringify };
const PYTHON: Style = { item: ', ', key: ': ', number: pythonNumber, text: pythonText };
const PYTHON_COMPACT: Style = { item: ',', key: ':', number: pythonNumber, text: pythonText };

/** Compact JSON; numbers keep their spelling. The request bytes this harness sends are made here. */
export const printJson = (value: Json): string => print(value, COMPACT);

/** Texts of objects that were printed before and have not changed since. */
export type Printed = WeakMap<JsonObject, string>;

/** As {@link printJson}, without printing again what `printed` holds: a conversation repeats its history on every turn. */
export const printJsonOnce = (value: Json, printed: Printed): string => print(value, { ...COMPACT, printed });

/** What Python's `json.dumps(value, ensure_ascii=False)` prints once `json.loads` has read the value. */
export const dumpsPython = (value: Json): string => print(value, PYTHON);

/** What Starlette's `JSONResponse` prints: Python values, no blanks. */
export const dumpsPythonCompact = (value: Json): string => print(value, PYTHON_COMPACT);

function print(value: Json, style: Style): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return style.text(value);
  if (value instanceof JsonNumber) return style.number(value);
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += (items === '' ? '' : style.item) + print(item, style);
    return `[${items}]`;
  }
  const known = style.printed?.get(value);
  if (known !== undefined) return known;
  const members = [...value].map(([key, item]) => style.text(key) + style.key + print(item, style));
  return `{${members.join(style.item)}}`;
}

/**
 * Python leaves half of a surrogate pair bare where JavaScript writes `\ud83d`. Such a text has no UTF-8 form: a server fails
 * when it encodes its reply, which `isWellFormed()` tells.
 */
function pythonText(text: string): string {
  if (text.isWellFormed()) return JSON.stringify(text);
  const parts = text.split(/(\p{Surrogate}+)/u);
  return `"${parts.map((part, index) => (index % 2 === 0 ? JSON.stringify(part).slice(1, -1) : part)).join('')}"`;
}

/** How Python prints the number it read: integers exactly, other numbers as `repr(float)`. */
export function pythonNumber(number: JsonNumber): string {
  if (number.isInteger) return BigInt(number.lexeme).toString();
  return pythonFloat(number.value);
}

/** Python's `repr` of a double: the shortest digits that read back, an exponent below 1e-4 and from 1e16 on. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  // JavaScript finds the same shortest digits; only the layout differs.
  const [mantissa = '0', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const tail = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${tail}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
