import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { judge } from '../compare/judge.ts';
import type { History } from '../domain.ts';
import { EXIT, IncompleteError, InvalidError } from '../errors.ts';
import { foldCore, projectMessage } from '../goldens/codec.ts';
import { identityDrift, identityOf } from '../goldens/identity.ts';
import { printGolden } from '../goldens/print.ts';
import { loadLanes, selectLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import { type Project, projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { progress } from '../report/progress.ts';
import { type Plan, type PlannedLane, planRun, scriptOf } from '../run/plan.ts';
import { playLane } from '../run/play.ts';
import { type LoadedScenario, loadScenarios, selectNames } from '../scenario/scenario.ts';
import type { Golden, Transcript } from '../schemas/types.ts';
import { extendFile } from '../teleprompter/append.ts';
import { scriptIds } from '../teleprompter/script.ts';
import { version } from '../version.ts';

export interface RecordOptions {
  lane: string[];
  history?: History;
  update: 'missing' | 'changed' | 'all';
  reason: string;
}

/** `parity record`: plays scenarios twice and writes goldens of what was the same both times. Returns the exit code. */
export async function recordCommand(
  patterns: string[],
  options: RecordOptions,
  signal: AbortSignal,
): Promise<number> {
  if (process.env.CI) {
    throw new InvalidError('goldens are not recorded in CI', {
      hint: 'record them locally, review the diff, commit it',
    });
  }
  const project = projectAt();
  appendCodebook(project, patterns, options.lane);
  const plan = planRun(project, { patterns, lanes: options.lane, history: options.history, goldens: 'none' });
  let exitCode: number = EXIT.equal;
  for (const lane of plan.lanes) {
    const wanted = lane.scenarios.filter(({ scenario }) => isWanted(scenario, lane, plan, options.update));
    const counts = { written: 0, unchanged: 0, refused: 0 };
    const [first = [], second = []] =
      wanted.length > 0 ? await playTwice({ ...lane, scenarios: wanted }, plan, signal) : [];
    if (signal.aborted) throw new IncompleteError('interrupted', { hint: 'nothing was written' });
    for (const [index, { scenario }] of wanted.entries()) {
      const outcome = recordOne(scenario, lane, first[index], second[index], plan, options.reason);
      counts[outcome]++;
      if (outcome === 'refused') exitCode = EXIT.diverged;
    }
    const kept = lane.scenarios.length - wanted.length;
    process.stdout.write(
      `${lane.loaded.lane.name}: ${counts.written} written, ${counts.unchanged} unchanged, ${kept} not asked for (--update ${options.update}), ${counts.refused} refused\n`,
    );
  }
  return exitCode;
}

function appendCodebook(project: Project, patterns: readonly string[], lanes: readonly string[]): void {
  const scripted = selectLanes(loadLanes(project.lanes), lanes).some(({ lane }) => lane.model.teleprompter);
  if (!scripted) return;
  const { tokenizer } = new Oracle();
  const all = loadScenarios(project.scenarios);
  const names = new Set(
    selectNames(
      all.map(({ name }) => name),
      patterns,
    ),
  );
  const scripts = all
    .filter(({ name }) => names.has(name))
    .flatMap(({ document }) => document.turns.map(({ say = '' }) => scriptIds(say, tokenizer)));
  mkdirSync(dirname(project.codebook), { recursive: true });
  const added = extendFile(project.codebook, scripts, tokenizer);
  if (added > 0) process.stdout.write(`codebook: ${added} entries appended\n`);
}

function isWanted(
  scenario: LoadedScenario,
  { loaded, history }: PlannedLane,
  { project, store, oracle }: Plan,
  update: RecordOptions['update'],
): boolean {
  const key = { model: loaded.lane.model.name, history, scenario: scenario.name };
  if (update === 'all' || !store.exists(key)) return true;
  if (update === 'missing') return false;
  const now = identityOf(scenario, oracle, scriptOf(loaded, project, oracle));
  return identityDrift(store.load(key).identity, now).length > 0;
}

async function playTwice(lane: PlannedLane, plan: Plan, signal: AbortSignal): Promise<Transcript[][]> {
  const passes: Transcript[][] = [];
  for (const _ of [1, 2]) {
    const path = mkdtempSync(join(tmpdir(), 'parity-record-'));
    try {
      const played = await playLane(lane, {
        project: plan.project,
        oracle: plan.oracle,
        folder: new RunFolder(path),
        continuation: 'own',
        signal,
        onScenario: progress(process.stderr),
      });
      passes.push(played.transcripts);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  }
  return passes;
}

function recordOne(
  scenario: LoadedScenario,
  lane: PlannedLane,
  first: Transcript | undefined,
  second: Transcript | undefined,
  plan: Plan,
  reason: string,
): 'written' | 'unchanged' | 'refused' {
  const refuse = (why: string): 'refused' => {
    process.stderr.write(`refused ${scenario.name}: ${why}\n`);
    return 'refused';
  };
  if (!first?.complete || !second?.complete) return refuse('not every turn was answered');
  const { assertions } = judge({
    transcript: first,
    expected: undefined,
    scenario: scenario.document,
    oracle: plan.oracle,
  });
  const faults = assertions.flatMap(({ turn, field, outcome }) =>
    outcome.status === 'differs' ? [`turn ${turn} ${field}: ${outcome.difference.summary}`] : [],
  );
  if (faults.length > 0)
    return refuse(`the answers contradict themselves or the scenario\n  ${faults.join('\n  ')}`);
  const golden = makeGolden(scenario, lane, first, plan, reason);
  if (
    JSON.stringify(projectionOf(golden)) !==
    JSON.stringify(projectionOf(makeGolden(scenario, lane, second, plan, reason)))
  ) {
    return refuse('two passes gave different answers');
  }
  const key = { model: golden.model, history: golden.history, scenario: golden.scenario };
  if (plan.store.exists(key) && sameButContext(plan.store.load(key), golden)) return 'unchanged';
  plan.store.save(golden);
  return 'written';
}

function makeGolden(
  scenario: LoadedScenario,
  { loaded, history }: PlannedLane,
  transcript: Transcript,
  { project, oracle }: Plan,
  reason: string,
): Golden {
  const { lane } = loaded;
  return {
    format: 1,
    scenario: scenario.name,
    model: lane.model.name,
    history,
    identity: identityOf(scenario, oracle, scriptOf(loaded, project, oracle)),
    context: {
      lane: lane.name,
      server: lane.server,
      emulated: transcript.emulated,
      harness: version(),
      recorded_at: new Date().toISOString(),
      command: `parity ${process.argv.slice(2).join(' ')}`,
      reason,
    },
    turns: foldCore(transcript, oracle.tokenizer),
    projections: { [lane.server]: { turns: transcript.turns.map(projectMessage) } },
  };
}

const projectionOf = ({ identity, turns, projections }: Golden) => ({ identity, turns, projections });

const sameButContext = (a: Golden, b: Golden): boolean =>
  printGolden({ ...a, context: b.context }) === printGolden(b);
