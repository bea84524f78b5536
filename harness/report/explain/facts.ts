import type { Finding, TranscriptTurn } from '../../schemas/types.ts';
import type { Explanation } from '../explain.ts';

const REFERENCE: Record<Finding['reference'], (against: string) => string | undefined> = {
  expected: (against) => (against === 'golden' ? 'the golden' : against),
  actual: () => 'the lane',
  neither: () => 'neither side',
  unknown: () => undefined,
};

/** What results.json says of the finding, in words; without a finding, that there is none. */
export function factsOf(
  finding: Finding | undefined,
  turn: TranscriptTurn | undefined,
  against: string,
): Explanation['facts'] {
  if (!finding) return [{ label: 'found', text: 'no difference in this field' }, ...errorOf(turn)];
  const facts: Explanation['facts'] = [{ label: 'found', text: finding.summary }];
  // Newer results also name the cause; older ones do not have these keys.
  for (const [key, label] of [
    ['says', 'means'],
    ['cause', 'cause'],
  ] as const) {
    const text = textAt(finding, key);
    if (text !== undefined && text !== finding.summary) facts.push({ label, text });
  }
  for (const line of finding.evidence ?? []) facts.push({ label: 'evidence', text: line });
  const agrees = REFERENCE[finding.reference](against);
  if (agrees !== undefined) facts.push({ label: 'oracle', text: `agrees with ${agrees}` });
  if (finding.followsFrom !== undefined) facts.push({ label: 'follows', text: finding.followsFrom });
  return [...facts, ...errorOf(turn)];
}

function errorOf(turn: TranscriptTurn | undefined): Explanation['facts'] {
  return turn?.error === undefined ? [] : [{ label: 'answer', text: `${turn.outcome}: ${turn.error}` }];
}

function textAt(finding: Finding, key: string): string | undefined {
  const found: unknown = new Map<string, unknown>(Object.entries(finding)).get(key);
  return typeof found === 'string' ? found : undefined;
}
