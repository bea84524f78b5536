import { withStop } from '../goldens/codec.ts';
import type { Pins, WaiverList } from '../goldens/waivers.ts';
import type { Transcript, Waiver } from '../schemas/types.ts';
import type { Expected, Judgement } from './judge.ts';
import type { Assertion } from './outcome.ts';

/** A judged transcript with both sides. */
export interface Waivable extends Judgement {
  transcript: Transcript;
  expected: Expected;
}

/** Marks what valid waivers excuse. A waiver that drifted or expired excuses nothing, and the finding says so. */
export function waive<T extends Waivable>(judged: T, waivers: WaiverList, used: Set<Waiver>): T {
  const assertions = judged.assertions.map((assertion): Assertion => {
    const { outcome } = assertion;
    if (outcome.status !== 'differs') return assertion;
    const place = { ...assertion, history: judged.transcript.history };
    const waived = waivers.judge(place, pinsOf(judged, assertion, outcome.difference));
    if (!waived) return assertion;
    used.add(waived.waiver);
    if (waived.status === 'waived') {
      return { ...assertion, outcome: { ...outcome, status: 'waived', waiver: waived.waiver } };
    }
    const summary = `${outcome.difference.summary} (${waived.why})`;
    return { ...assertion, outcome: { ...outcome, difference: { ...outcome.difference, summary } } };
  });
  return { ...judged, assertions };
}

/** The whole values behind a difference, which shows only a window of them. */
function pinsOf({ transcript, expected }: Waivable, { turn, field }: Assertion, shown: Pins): Pins {
  const entry = transcript.turns[turn - 1];
  const core = expected.core[turn - 1];
  const message = expected.messages?.[turn - 1];
  switch (field) {
    case 'prompt_token_ids':
      return { expected: core?.prompt, actual: entry?.prompt_token_ids };
    case 'generation_token_ids': {
      const ids = core && (transcript.eos === 'kept' ? withStop(core) : core.generation);
      return { expected: ids, actual: entry?.generation_token_ids };
    }
    case 'content':
    case 'reasoning':
      return { expected: message?.[field], actual: entry?.[field] };
    case 'tool_calls':
      return {
        expected: message?.tool_calls,
        actual: entry?.tool_calls?.map(({ name, arguments: text }) => ({ name, arguments: text })),
      };
    default:
      return { expected: shown.expected, actual: shown.actual };
  }
}
