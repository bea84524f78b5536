import type { TranscriptTurn } from '../schemas/types.ts';
import type { FieldDifference } from './difference.ts';

const CALL = 151657; // <tool_call>

/** Says so where a difference in reasoning is a call that ended up there: generated, tools offered, none parsed. */
export function nameCallInReasoning(
  difference: FieldDifference | undefined,
  turn: TranscriptTurn,
): FieldDifference | undefined {
  const lost =
    turn.tools === true &&
    (turn.tool_calls ?? []).length === 0 &&
    turn.reasoning?.includes('<tool_call>') === true &&
    turn.generation_token_ids?.includes(CALL) === true;
  if (!difference || !lost) return difference;
  return {
    ...difference,
    summary: `a generated call ends up in the reasoning and is not parsed: ${difference.summary}`,
  };
}
