import type { RunLane } from '../schemas/types.ts';
import type { Judgement } from './judge.ts';
import type { Assertion } from './outcome.ts';

/** What two lanes must share for their ids to be comparable. */
const PARTS = ['model', 'tokenizer', 'template'] as const;

/** Every part of the set-up in which a lane differs from the one it is compared with, said before any token. */
export function compareEnvironments(reference: RunLane, lane: RunLane, scenario: string): Assertion[] {
  return PARTS.filter((part) => reference[part] !== lane[part]).map((part) => ({
    lane: lane.lane,
    scenario,
    turn: 1,
    field: 'environment',
    against: reference.lane,
    outcome: {
      status: 'differs',
      difference: {
        index: null,
        expected: reference[part],
        actual: lane[part],
        summary: `another ${part}: ${short(reference[part])} in ${reference.lane}, ${short(lane[part])} in ${lane.lane}`,
      },
    },
  }));
}

/** Another template or tokenizer explains other prompts; what else differs is asserted as always. */
export function followEnvironment(judgement: Judgement, [first]: readonly Assertion[]): Judgement {
  if (first?.outcome.status !== 'differs') return judgement;
  const from = first.outcome.difference.summary;
  const assertions = judgement.assertions.map((assertion): Assertion => {
    const { outcome, field } = assertion;
    if (outcome.status !== 'differs' || field !== 'prompt_token_ids') return assertion;
    return { ...assertion, outcome: { ...outcome, status: 'follows', from } };
  });
  return { ...judgement, assertions };
}

const short = (value: string): string => (/^[0-9a-f]{64}$/.test(value) ? value.slice(0, 12) : value);
