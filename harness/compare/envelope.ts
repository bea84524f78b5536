import type { TranscriptTurn } from '../schemas/types.ts';
import type { FieldDifference } from './difference.ts';

/*
 * What every recorded answer of every server says alike, so that no golden repeats it: the first choice, by the assistant, calls
 * of functions. A client that validates answers refuses anything else.
 */

/** The message must be the first choice's and the assistant's. A transcript of an older version does not tell. */
export function checkEnvelope({ role, choice_index: index }: TranscriptTurn): FieldDifference | undefined {
  if (role !== undefined && role !== 'assistant') return unlike('message.role', 'assistant', role);
  if (index !== undefined && index !== 0) return unlike('choices[0].index', 0, index);
  return undefined;
}

/** Every call must be a function's. */
export function checkCallTypes({ tool_calls: calls }: TranscriptTurn): FieldDifference | undefined {
  const index = (calls ?? []).findIndex(({ type }) => type !== 'function');
  if (index === -1) return undefined;
  return { ...unlike(`the type of call ${index + 1}`, 'function', calls?.[index]?.type ?? null), index };
}

const unlike = (
  what: string,
  expected: string | number,
  actual: string | number | null,
): FieldDifference => ({
  index: null,
  expected,
  actual,
  summary: `${what} is ${actual === null ? 'null or absent' : JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
});
