import type { Audit, Listed } from '../goldens/differences.ts';
import type { Waiver } from '../schemas/types.ts';
import type { FieldDifference } from './difference.ts';
import type { Assertion } from './outcome.ts';

/** What an audit of projections finds, as assertions; used entries are counted elsewhere. */
export function auditAssertions({ unlisted, stale }: Audit): Assertion[] {
  const missing = unlisted.map(({ place, field, a, b }): Assertion => {
    const difference: FieldDifference = {
      index: null,
      expected: a.message[field] ?? null,
      actual: b.message[field] ?? null,
      summary: `${field} differs between ${a.dialect} and ${b.dialect}, and goldens/differences.yaml does not list it`,
    };
    return red(`${a.dialect} vs ${b.dialect}`, place.scenario, place.turn, 'differences', difference);
  });
  return [...missing, ...stale.map(staleAssertion)];
}

/** A listed difference that no longer occurs. */
export function staleAssertion({ entry, scenario, turn }: Listed): Assertion {
  return red(entry.between.join(' vs '), scenario, turn, 'differences', {
    index: null,
    expected: entry.values,
    actual: null,
    summary: `the listed difference in ${entry.field} (${entry.cause}) no longer occurs; take ${scenario}:${turn} out of goldens/differences.yaml`,
  });
}

/** A waiver whose divergence no longer happens. */
export function waiverAssertion(waiver: Waiver): Assertion {
  return red(waiver.lane, waiver.scenario, waiver.turn, 'waivers', {
    index: null,
    expected: waiver.actual ?? null,
    actual: null,
    summary: `the waived divergence in ${waiver.field} no longer happens; take the waiver of ${waiver.owner} out of goldens/waivers.yaml`,
  });
}

const red = (
  lane: string,
  scenario: string,
  turn: number,
  field: Assertion['field'],
  difference: FieldDifference,
): Assertion => ({
  lane,
  scenario,
  turn,
  field,
  against: 'golden',
  outcome: { status: 'differs', difference },
});
