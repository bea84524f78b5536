import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import type { Json } from '../../json/value.ts';
import { exception } from '../refusal.ts';

/**
 * A body as Python's `json.loads` reads bytes: UTF-8, with or without a byte-order mark, or UTF-16, told by the mark or by
 * where the zeros stand. Throws for anything else; nobody catches that, so the answer is a 500.
 */
export function readBytes(body: Buffer): Json {
  try {
    return parseJson(new TextDecoder(encodingOf(body), { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof TypeError)
      throw exception('the body is not JSON');
    throw error;
  }
}

function encodingOf([first, second, third]: Buffer): string {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0 && second) return 'utf-16be';
  return second === 0 && third ? 'utf-16le' : 'utf-8';
}
