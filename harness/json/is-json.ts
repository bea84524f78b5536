import { JsonSyntaxError, parseJson } from './parse.ts';

/** Whether a text is JSON as Python reads it. */
export function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}
