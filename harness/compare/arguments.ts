import type { TranscriptTurn } from '../schemas/types.ts';
import type { FieldDifference, TextWindow } from './difference.ts';

/** What Python prints for a float that JSON has no spelling for; a string is matched first, so that its text does not count. */
const NOT_JSON = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs;
const BEFORE = 40;
const AFTER = 80;

/**
 * The arguments of a call are JSON by RFC 8259: both servers print what Python's `json` reads, and that includes `NaN` and
 * `Infinity`, on which most other readers fail.
 */
export function checkArguments(turn: TranscriptTurn): FieldDifference | undefined {
  for (const [index, { name, arguments: text }] of (turn.tool_calls ?? []).entries()) {
    if (isJson(text)) continue;
    const culprit = [...text.matchAll(NOT_JSON)].find(([found]) => !found.startsWith('"'));
    const at = culprit ? `: ${culprit[0]} at character ${culprit.index}` : '';
    return {
      index: culprit?.index ?? null,
      expected: 'JSON',
      actual: windowAt(text, culprit?.index ?? 0),
      summary: `arguments of call ${index + 1} (${name}) are no JSON${at}`,
    };
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const windowAt = (text: string, index: number): TextWindow => {
  const from = Math.max(0, index - BEFORE);
  return { length: text.length, from, text: text.slice(from, index + AFTER) };
};
