import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULTS } from '../embedded/faults.ts';
import { EXIT } from '../errors.ts';
import { projectAt } from '../project.ts';
import { execute } from '../run/execute.ts';
import { planRun } from '../run/plan.ts';
import { PLANTS, type Plant } from '../run/plants.ts';
import type { Results } from '../schemas/types.ts';

/** `parity run --plant list`: every fault and where it must be caught. */
export function plantList(): number {
  for (const { name, about } of FAULTS) {
    const plant = PLANTS.find(({ fault }) => fault === name);
    const where = plant
      ? `${plant.scenario}:${plant.turn} ${plant.field}, exit ${plant.exitCode}`
      : 'nowhere';
    process.stdout.write(`${name.padEnd(26)} ${where}\n${' '.repeat(27)}${about}\n`);
  }
  return EXIT.equal;
}

/** `parity run --plant all`: exits 0 only if the healthy lane is equal and every fault is caught where it said. */
export async function plantAll(signal: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'parity-plant-'));
  let missed = 0;
  const report = (name: string, where: string, verdict: string | undefined): void => {
    if (verdict !== undefined) missed++;
    process.stdout.write(
      `${verdict === undefined ? 'caught' : 'MISSED'}  ${name.padEnd(26)} ${verdict ?? where}\n`,
    );
  };
  try {
    const scenarios = [...new Set(PLANTS.map(({ scenario }) => scenario))];
    const healthy = await play(scenarios, 'embedded-vllm', undefined, join(folder, 'healthy'), signal);
    if (healthy.exitCode !== EXIT.equal) report('(no fault)', '', `the healthy lane is ${healthy.status}`);
    for (const { name } of FAULTS) {
      const plant = PLANTS.find(({ fault }) => fault === name);
      if (!plant) report(name, '', 'no declaration says where it must be caught');
      else {
        const results = await play([plant.scenario], plant.lane, name, join(folder, name), signal);
        report(name, `${plant.scenario}:${plant.turn} ${plant.field}`, missedBecause(plant, results));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(
    `${FAULTS.length - missed} of ${FAULTS.length} planted faults caught where declared\n`,
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
  return results;
}

function missedBecause(plant: Plant, { exitCode, findings }: Results): string | undefined {
  const first = findings.find(({ followsFrom }) => followsFrom === undefined);
  if (!first) return `no finding; expected ${plant.scenario}:${plant.turn} ${plant.field}`;
  if (first.turn !== plant.turn || first.field !== plant.field) {
    return `first finding is turn ${first.turn} ${first.field}; expected turn ${plant.turn} ${plant.field}`;
  }
  return exitCode === plant.exitCode ? undefined : `exit code ${exitCode}; expected ${plant.exitCode}`;
}
