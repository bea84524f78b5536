import type { DialectName, History } from '../domain.ts';
import { unfoldCore, withStop } from '../goldens/codec.ts';
import { fromJs, type Json, type JsonObject } from '../json/value.ts';
import type { Golden, Lane } from '../schemas/types.ts';

/** The golden's answers as a lane's server would have given them, to continue from instead of the lane's own. */
export function goldenMessages(
  golden: Golden,
  projection: DialectName,
  { eos }: Pick<Lane, 'eos'>,
  history: History,
): JsonObject[] {
  const core = unfoldCore(golden);
  const messages = golden.projections[projection]?.turns ?? [];
  return messages.map((message, index) => {
    const turn = core[index];
    const out: JsonObject = new Map<string, Json>([['role', 'assistant']]);
    if (message.content !== undefined) out.set('content', message.content);
    if (message.reasoning !== undefined) {
      out.set('reasoning', message.reasoning);
      out.set('reasoning_content', message.reasoning);
    }
    if (message.tool_calls) {
      const calls = message.tool_calls.map((call, at) => ({
        id: `call_golden_${index + 1}_${at + 1}`,
        type: 'function',
        function: call,
      }));
      out.set('tool_calls', fromJs(calls));
    }
    if (history === 'spliced' && turn) {
      out.set('prompt_token_ids', fromJs(turn.prompt));
      out.set('generation_token_ids', fromJs(eos === 'kept' ? withStop(turn) : turn.generation));
    }
    return out;
  });
}
