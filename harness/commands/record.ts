import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { judge } from '../compare/judge.ts';
import { waive } from '../compare/waive.ts';
import type { History } from '../domain.ts';
import { EXIT, IncompleteError, InvalidError } from '../errors.ts';
import { foldCore, projectMessage, unfoldCore } from '../goldens/codec.ts';
import { identityDrift, identityOf } from '../goldens/identity.ts';
import { loadLanes, selectLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import { type Project, projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { progress } from '../report/progress.ts';
import { type Plan, type PlannedLane, planRun, scriptOf } from '../run/plan.ts';
import { playLane } from '../run/play.ts';
import { type LoadedScenario, loadScenarios, selectNames } from '../scenario/scenario.ts';
import type { Golden, GoldenContext, Transcript } from '../schemas/types.ts';
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
  // Lanes that keep the terminal stop id first: only they can record a token core.
  const lanes = plan.lanes.toSorted(
    (a, b) => Number(a.loaded.lane.eos === 'trimmed') - Number(b.loaded.lane.eos === 'trimmed'),
  );
  for (const lane of lanes) {
    const wanted = lane.scenarios.filter(({ scenario }) => isWanted(scenario, lane, plan, options.update));
    const counts = { written: 0, unchanged: 0, refused: 0 };
    const [first = [], second = []] =
      wanted.length > 0 ? await playTwice({ ...lane, scenarios: wanted }, plan, signal) : [];
    if (signal.aborted) throw new IncompleteError('interrupted', { hint: 'nothing was written' });
    for (const [index, { scenario }] of wanted.entries()) {
      const outcome = recordOne(scenario, lane, [first[index], second[index]], plan, options.reason);
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
  { loaded, history, oracle }: PlannedLane,
  { project, store }: Plan,
  update: RecordOptions['update'],
): boolean {
  const key = { model: loaded.lane.model.name, history, scenario: scenario.name };
  if (update === 'all' || !store.exists(key)) return true;
  if (!store.load(key).projections[loaded.lane.server]) return true;
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

type Outcome = 'written' | 'unchanged' | 'refused';

function recordOne(
  scenario: LoadedScenario,
  lane: PlannedLane,
  passes: readonly (Transcript | undefined)[],
  plan: Plan,
  reason: string,
): Outcome {
  const refuse = (why: string): Outcome => {
    process.stderr.write(`refused ${scenario.name}: ${why}\n`);
    return 'refused';
  };
  const [first, second] = passes;
  if (!first?.complete || !second?.complete) return refuse('not every turn was answered');
  const key = { model: first.model, history: first.history, scenario: scenario.name };
  const existing = plan.store.exists(key) ? plan.store.load(key) : undefined;
  const identity = identityOf(scenario, lane.oracle, scriptOf(lane.loaded, plan.project, lane.oracle));
  const current = existing && identityDrift(existing.identity, identity).length === 0 ? existing : undefined;
  if (!current && first.eos === 'trimmed') {
    return refuse('its token core is not recorded yet; record a lane that keeps the terminal stop id first');
  }
  // Another server kind adds its messages to the shared core, which must be the same bit for bit.
  const shared = current && current.context.server !== first.server ? current : undefined;
  const expected = shared && { core: unfoldCore(shared), messages: [] };
  const judged = {
    transcript: first,
    expected: expected ?? { core: [], messages: [] },
    ...judge({ transcript: first, expected, scenario: scenario.document, oracle: lane.oracle }),
  };
  const { assertions } = waive(judged, plan.waivers, new Set());
  const faults = assertions.flatMap(({ turn, field, outcome }) =>
    outcome.status === 'differs' ? [`turn ${turn} ${field}: ${outcome.difference.summary}`] : [],
  );
  if (faults.length > 0) {
    return refuse(
      `the answers contradict the token core, themselves or the scenario\n  ${faults.join('\n  ')}`,
    );
  }
  const make = (transcript: Transcript): Golden =>
    shared
      ? addProjection(shared, transcript, reason)
      : makeGolden(transcript, identity, lane.oracle, current, reason);
  const golden = make(first);
  if (!sameButContext(golden, make(second))) return refuse('two passes gave different answers');
  if (current && sameButContext(current, golden)) {
    if (first.emulated) return 'unchanged';
    // A real engine takes an emulation's place as the source; what another real engine recorded it confirms.
    const takesOver = current.context.emulated && current.context.server === first.server;
    plan.store.save(takesOver ? golden : confirm(current, first, reason));
    return 'written';
  }
  plan.store.save(golden);
  return 'written';
}

function makeGolden(
  transcript: Transcript,
  identity: Golden['identity'],
  { tokenizer }: Oracle,
  before: Golden | undefined,
  reason: string,
): Golden {
  const turns = foldCore(transcript, tokenizer);
  // Other projections stay only while the tokens they are made of do.
  const kept = before && JSON.stringify(before.turns) === JSON.stringify(turns) ? before.projections : {};
  return {
    format: 1,
    scenario: transcript.scenario,
    model: transcript.model,
    history: transcript.history,
    identity,
    context: contextOf(transcript, reason),
    turns,
    projections: { ...kept, [transcript.server]: { turns: transcript.turns.map(projectMessage) } },
  };
}

function addProjection(golden: Golden, transcript: Transcript, reason: string): Golden {
  const projection = { context: contextOf(transcript, reason), turns: transcript.turns.map(projectMessage) };
  return { ...golden, projections: { ...golden.projections, [transcript.server]: projection } };
}

/** A real engine gave exactly this: the projection says which, in the words of the reason, and when. */
function confirm(golden: Golden, { server, lane }: Transcript, reason: string): Golden {
  const projection = golden.projections[server];
  if (!projection) return golden;
  const words = `${lane}: ${reason} (${new Date().toISOString().slice(0, 10)})`;
  const confirmed_by = [...new Set([...(projection.confirmed_by ?? []), words])];
  return { ...golden, projections: { ...golden.projections, [server]: { ...projection, confirmed_by } } };
}

const contextOf = ({ lane, server, emulated }: Transcript, reason: string): GoldenContext => ({
  lane,
  server,
  emulated,
  harness: version(),
  recorded_at: new Date().toISOString(),
  command: `parity ${process.argv.slice(2).join(' ')}`,
  reason,
});

/** Whether two goldens say the same; when and how they were recorded does not count, nor do log-probs. */
function sameButContext(a: Golden, b: Golden): boolean {
  const bare = ({ context: _, projections, ...golden }: Golden): string => {
    const messages = Object.entries(projections).map(([dialect, { turns }]) => [dialect, turns]);
    const turns = golden.turns.map(({ mean_logprob: _, ...turn }) => turn);
    return JSON.stringify({ ...golden, turns, messages });
  };
  return bare(a) === bare(b);
}
