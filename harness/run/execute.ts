import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { judgeRun } from '../compare/judge-run.ts';
import type { Judges } from '../compare/judges.ts';
import type { Against, Continuation } from '../domain.ts';
import { EXIT, IncompleteError } from '../errors.ts';
import { linkLast, RunFolder, requireLinkable } from '../replay/run-folder.ts';
import { buildResults } from '../report/results.ts';
import type { Results, Run } from '../schemas/types.ts';
import { runSuite } from '../suite/run-suite.ts';
import { version } from '../version.ts';
import { addMeasured, localiseLane, type Measured } from './localise.ts';
import type { Plan } from './plan.ts';
import { INTERRUPTED, laneEntry, NOT_PLAYED, type PlayOptions, playLane } from './play.ts';

export interface ExecuteOptions {
  /** Folder of the run; a new one under reports/ when absent. */
  out?: string | undefined;
  continuation: Continuation;
  /** @default 'goldens' */
  against?: Against;
  plant?: string | undefined;
  /** Arguments after `parity`, for run.json. */
  command: readonly string[];
  signal?: AbortSignal;
  onScenario?: NonNullable<PlayOptions['onScenario']>;
  onPhase?: NonNullable<PlayOptions['onPhase']>;
  onLaneEnd?: NonNullable<PlayOptions['onLaneEnd']>;
  /** False leaves vitest out; only --plant all does, which judges dozens of runs. */
  suite?: boolean;
  /** Ask the stages of a server that still runs about what it got wrong. */
  localise?: boolean | undefined;
}

export interface Executed {
  folder: RunFolder;
  results: Results;
}

/** Plays a plan, judges it, asserts it with vitest and writes the run folder. */
export async function execute(plan: Plan, options: ExecuteOptions): Promise<Executed> {
  const startedAt = performance.now();
  const id =
    options.out ?? `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(2).toString('hex')}`;
  if (options.out === undefined) requireLinkable(plan.project.reports);
  const folder = RunFolder.create(options.out ?? join(plan.project.reports, id));
  const run: Run = {
    format: 1,
    id,
    harness: version(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    started_at: new Date().toISOString(),
    command: [...options.command],
    options: {
      continuation: options.continuation,
      ...(options.against ? { against: options.against } : {}),
      ...(options.plant ? { plant: options.plant } : {}),
    },
    lanes: plan.lanes.map((lane) => ({ ...laneEntry(lane), ...NOT_PLAYED })),
    scenarios: plan.scenarios.map(({ name }) => name),
  };
  folder.writeRun(run);
  const timings = {
    launch_ms: 0,
    wait_ms: 0,
    replay_ms: 0,
    request_ms: 0,
    compare_ms: 0,
    write_ms: 0,
    total_ms: 0,
  };
  const measured: Measured = new Map();
  for (const [index, lane] of plan.lanes.entries()) {
    if (options.signal?.aborted) {
      run.lanes[index] = { ...laneEntry(lane), ...INTERRUPTED };
      continue;
    }
    const played = await playLane(lane, {
      ...options,
      project: plan.project,
      folder,
      beforeClose: async (entry, client) => {
        if (!options.localise) return;
        const found = await localiseLane(plan, folder, run, { lane: entry, client, signal: options.signal });
        for (const [place, lines] of found) measured.set(place, lines);
      },
    });
    timings.launch_ms += played.timings.launch;
    timings.wait_ms += played.timings.wait;
    timings.replay_ms += played.timings.replay;
    timings.request_ms += played.timings.request;
    run.lanes[index] = played.lane;
    folder.writeRun(run);
  }
  run.finished_at = new Date().toISOString();
  folder.writeRun(run);

  const compareAt = performance.now();
  const results = judgeFolder(plan, folder, timings);
  addMeasured(results.findings, measured);
  folder.writeResults(results);
  if (options.suite !== false && !options.signal?.aborted) await assertSuite(results, folder, plan);
  // What was found stays found; but a run that was told to stop has not proved that all is equal.
  if (options.signal?.aborted && results.status === 'equal') {
    Object.assign(results, { status: 'incomplete', exitCode: EXIT.incomplete, message: 'interrupted' });
  }
  timings.compare_ms = performance.now() - compareAt;
  timings.write_ms = folder.writeMs;
  timings.total_ms = performance.now() - startedAt;
  for (const key of Object.keys(timings) as (keyof typeof timings)[]) timings[key] = Math.round(timings[key]);
  folder.writeResults(results);
  if (options.out === undefined) linkLast(plan.project.reports, id);
  return { folder, results };
}

/** Judges a run folder without a server; another `run` than the recorded one narrows what is judged. */
export function judgeFolder(
  plan: Judges & Pick<Plan, 'scenarios'>,
  folder: RunFolder,
  timings: Results['timings'],
  run: Run = folder.readRun(),
): Results {
  const judged = judgeRun({ ...plan, folder, run });
  return buildResults({ run, judged, folder, timings });
}

/** vitest must have said the same: as many tests as fields were judged, and as many failures as first findings. */
async function assertSuite(results: Results, folder: RunFolder, plan: Plan): Promise<void> {
  // Without anything judged there is no test to run; the results say why.
  if (results.totals.assertions === 0) return;
  const suite = await runSuite(folder.path, plan.project.root);
  const failures = results.findings.filter(({ followsFrom }) => followsFrom === undefined).length;
  const asserted = results.totals.assertions;
  if (suite.errors.length === 0 && suite.failed === failures && suite.passed + suite.failed === asserted)
    return;
  throw new IncompleteError('the vitest suite and the judge do not agree', {
    where: folder.path,
    hint: [
      `vitest: ${suite.passed} passed, ${suite.failed} failed; judge: ${asserted} fields, ${failures} failures`,
      ...suite.errors.slice(0, 3),
    ].join('\n  '),
  });
}
