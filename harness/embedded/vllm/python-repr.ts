import { pythonNumber } from '../../json/print.ts';
import { isObject, type Json, JsonNumber } from '../../json/value.ts';

/** Python's `repr` of a value that `json.loads` made. */
export function repr(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value instanceof JsonNumber) return pythonNumber(value);
  if (typeof value === 'string') return reprText(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  return `{${[...value].map(([key, item]) => `${reprText(key)}: ${repr(item)}`).join(', ')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Single quotes, unless only double ones keep the text free of escapes. */
function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\\n\r\t]|\p{Cc}/gu, (char) => ESCAPES[char] ?? hex(char));
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}

const hex = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Name of the value's Python type. */
export function typeName(value: Json): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof JsonNumber) return value.isInteger ? 'int' : 'float';
  if (typeof value === 'string') return 'str';
  return isObject(value) ? 'dict' : 'list';
}

/** Bytes of a printed value that pydantic shows; of a longer one it shows both ends. */
const SHOWN = 50;

export function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= SHOWN) return text;
  const isStart = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) !== 0x80;
  let head = SHOWN / 2;
  while (!isStart(head)) head--;
  let tail = bytes.length - (SHOWN / 2 - 1);
  while (tail < bytes.length && !isStart(tail)) tail++;
  return `${bytes.subarray(0, head)}...${bytes.subarray(tail)}`;
}

/** Python's complaint about a value that cannot be walked over. */
export const notIterable = (value: Json): string => `'${typeName(value)}' object is not iterable`;
