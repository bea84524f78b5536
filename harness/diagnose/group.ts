import type { Finding, FindingGroup } from '../schemas/types.ts';

/**
 * First findings by what they have in common: layer, cause, lane, other side and side that deviates. A finding without a cause
 * stands alone, since nothing says that two of them have the same reason. `sizeOf` measures a finding's turn.
 */
export function groupFindings(
  findings: readonly Finding[],
  sizeOf: (finding: Finding) => number,
): FindingGroup[] {
  const groups = new Map<string, number[]>();
  for (const [index, finding] of findings.entries()) {
    if (finding.followsFrom !== undefined) continue;
    const { verdict, cause, lane, against, deviates } = finding;
    const key = JSON.stringify(cause === undefined ? [index] : [verdict, cause, lane, against, deviates]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const at = (index: number): Finding[] => findings.slice(index, index + 1);
  return [...groups.values()].flatMap((members): FindingGroup[] => {
    const sized = members.flatMap((index) =>
      at(index).map((finding) => ({ index, finding, size: sizeOf(finding) })),
    );
    sized.sort((a, b) => a.size - b.size || a.index - b.index);
    const [smallest] = sized;
    if (!smallest) return [];
    const { verdict, cause, lane, against, deviates } = smallest.finding;
    return [
      {
        verdict,
        ...(cause === undefined ? {} : { cause }),
        lane,
        ...(against === undefined ? {} : { against }),
        ...(deviates === undefined ? {} : { deviates }),
        count: members.length,
        at: sized.map(({ finding: { scenario, turn, field } }) => `${scenario}:${turn} ${field}`),
      },
    ];
  });
}
