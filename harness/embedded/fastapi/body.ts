import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import type { HttpRequest } from '../http.ts';
import { exception, type RefusedError, refusedAnswer, refusedFields } from '../refusal.ts';
import { detail } from './answers.ts';

/** Our parser's complaints in the words of Python's `json`. */
const PYTHON_WORDS: readonly (readonly [ours: string, python: string])[] = [
  ['unexpected text', 'Extra data'],
  ['expected a value', 'Expecting value'],
  ['expected a key', 'Expecting property name enclosed in double quotes'],
  ["expected ':'", "Expecting ':' delimiter"],
  ["expected ','", "Expecting ',' delimiter"],
  ['unterminated', 'Unterminated string starting at'],
  ['control character', 'Invalid control character at'],
  ['bad \\u', 'Invalid \\uXXXX escape'],
  ['bad escape', 'Invalid \\escape: '],
];

/**
 * A request's JSON as FastAPI reads it. Throws the answer for what it refuses: 422 for bad JSON or none, 400 for bytes that
 * are no UTF-8; a body of another content type reaches the request model as bytes, which its validators fail on (500).
 */
export function readBody({ body, contentType }: HttpRequest): Json {
  if (body.length === 0) throw refusedFields([missingBody()]);
  if (!isJson(contentType)) throw exception('the body is not sent as JSON');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw unreadable('the body is not UTF-8');
  }
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw refused(text, error);
  }
  if (value === null) throw refusedFields([missingBody()]);
  return value;
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  return /^application\/([^;]+\+)?json\s*(;|$)/i.test(contentType.trim());
}

function refused(text: string, error: JsonSyntaxError): RefusedError {
  const word = PYTHON_WORDS.find(([ours]) => error.message.startsWith(ours))?.[1];
  if (word === undefined) return unreadable(error.message);
  const offset = word.startsWith('Unterminated') ? openQuote(text) : error.offset;
  const position = [...text.slice(0, offset)].length; // Python counts code points
  const entry: JsonObject = new Map<string, Json>([
    ['type', 'json_invalid'],
    ['loc', ['body', new JsonNumber(String(position))]],
    ['msg', 'JSON decode error'],
    ['input', new Map()],
    ['ctx', new Map([['error', word]])],
  ]);
  return refusedFields([entry]);
}

const unreadable = (reason: string): RefusedError =>
  refusedAnswer(detail(400, 'There was an error parsing the body'), reason);

const missingBody = (): JsonObject =>
  new Map<string, Json>([
    ['type', 'missing'],
    ['loc', ['body']],
    ['msg', 'Field required'],
    ['input', null],
  ]);

/** Where the string that never ends was opened. */
function openQuote(text: string): number {
  let open = -1;
  for (let at = 0; at < text.length; at++) {
    if (open !== -1 && text[at] === '\\') at++;
    else if (text[at] === '"') open = open === -1 ? at : -1;
  }
  return Math.max(open, 0);
}
