import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULTS } from '../embedded/faults.ts';
import { EXIT, IncompleteError } from '../errors.ts';
import { projectAt } from '../project.ts';
import { writeOut } from '../report/write.ts';
import { execute } from '../run/execute.ts';
import { planRun } from '../run/plan.ts';
import { PLANTS, type Plant } from '../run/plants.ts';
import type { Results } from '../schemas/types.ts';

/** `parity run --plant list`: every fault and where it must be caught. */
export function plantList(): number {
  for (const { name, about } of FAULTS) {
    writeOut(name, `  ${about}`);
    for (const { lane, scenario, turn, field, exitCode, verdict } of PLANTS.filter(
      ({ fault }) => fault === name,
    )) {
      writeOut(`  ${lane}: ${scenario}:${turn} ${field}, ${verdict}, exit ${exitCode}`);
    }
  }
  return EXIT.equal;
}

/** `parity run --plant all`: exits 0 only if the healthy lanes are equal and every fault is caught where it said. */
export async function plantAll(signal: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'parity-plant-'));
  let missed = 0;
  const report = (name: string, lane: string, where: string, verdict: string | undefined): void => {
    if (verdict !== undefined) missed++;
    const mark = verdict === undefined ? 'caught' : 'MISSED';
    writeOut(`${mark}  ${lane.padEnd(16)} ${name.padEnd(27)} ${verdict ?? where}`);
  };
  try {
    for (const lane of new Set(PLANTS.map((plant) => plant.lane))) {
      const scenarios = [
        ...new Set(PLANTS.filter((plant) => plant.lane === lane).map(({ scenario }) => scenario)),
      ];
      const healthy = await play(scenarios, lane, undefined, join(folder, lane), signal);
      if (healthy.exitCode !== EXIT.equal)
        report('(no fault)', lane, '', `the healthy lane is ${healthy.status}`);
    }
    for (const { name } of FAULTS.filter((fault) => !PLANTS.some((plant) => plant.fault === fault.name))) {
      report(name, '', '', 'no declaration says where it must be caught');
    }
    for (const plant of PLANTS) {
      const out = join(folder, `${plant.lane}-${plant.fault}`);
      const results = await play([plant.scenario], plant.lane, plant.fault, out, signal);
      report(
        plant.fault,
        plant.lane,
        `${plant.scenario}:${plant.turn} ${plant.field}, ${plant.verdict}`,
        missedBecause(plant, results),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const names = new Set(PLANTS.map(({ fault }) => fault)).size;
  writeOut(
    `${PLANTS.length - missed} of ${PLANTS.length} planted faults caught where declared (${names} faults)`,
  );
  return missed === 0 ? EXIT.equal : EXIT.diverged;
}

async function play(
  patterns: string[],
  lane: string,
  plant: string | undefined,
  out: string,
  signal: AbortSignal,
): Promise<Results> {
  const plan = planRun(projectAt(), { patterns, lanes: [lane], goldens: 'required' });
  const command = ['run', ...patterns, ...(plant ? ['--plant', plant] : [])];
  const { results } = await execute(plan, { out, continuation: 'own', plant, command, signal, suite: false });
  // A fault that was not played to its end is neither caught nor missed.
  if (signal.aborted) throw new IncompleteError('interrupted');
  return results;
}

function missedBecause(plant: Plant, { exitCode, findings }: Results): string | undefined {
  const first = findings.find(({ followsFrom, field }) => followsFrom === undefined && field !== 'waivers');
  if (!first) return `no finding; expected ${plant.scenario}:${plant.turn} ${plant.field}`;
  if (first.turn !== plant.turn || first.field !== plant.field) {
    return `first finding is turn ${first.turn} ${first.field}; expected turn ${plant.turn} ${plant.field}`;
  }
  const verdict = `${first.verdict} ${first.cause ?? 'no cause'}`;
  if (verdict !== plant.verdict || first.deviates !== 'lane') {
    return `diagnosed as ${verdict} of ${first.deviates ?? 'unknown'}; expected ${plant.verdict} of lane`;
  }
  return exitCode === plant.exitCode ? undefined : `exit code ${exitCode}; expected ${plant.exitCode}`;
}
