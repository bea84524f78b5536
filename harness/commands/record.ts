import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { History } from '../domain.ts';
import { EXIT, IncompleteError, InvalidError, ParityError } from '../errors.ts';
import { identityDrift, identityOf } from '../goldens/identity.ts';
import { loadLanes, selectLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import { type Project, projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { command } from '../report/command.ts';
import { progress } from '../report/progress.ts';
import { writeError, writeOut } from '../report/write.ts';
import { type Plan, type PlannedLane, planRun, scriptOf } from '../run/plan.ts';
import { playLane } from '../run/play.ts';
import { recordGolden } from '../run/record-golden.ts';
import { type LoadedScenario, loadScenarios, selectNames } from '../scenario/scenario.ts';
import type { Transcript } from '../schemas/types.ts';
import { extendFile } from '../teleprompter/append.ts';
import { scriptsOf } from '../teleprompter/script.ts';

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
  const entries = appendCodebook(project, patterns, options.lane);
  const plan = planRun(project, { patterns, lanes: options.lane, history: options.history, goldens: 'none' });
  const recording = recorders(plan, options.lane);
  let exitCode: number = EXIT.equal;
  let goldens = 0;
  // Lanes that keep the terminal stop id first: only they can record a token core.
  const lanes = recording.toSorted(
    (a, b) => Number(a.loaded.lane.eos === 'trimmed') - Number(b.loaded.lane.eos === 'trimmed'),
  );
  for (const lane of lanes) {
    const wanted = lane.scenarios.filter(({ scenario }) => isWanted(scenario, lane, plan, options.update));
    const counts = { written: 0, unchanged: 0, refused: 0 };
    const [first = [], second = []] =
      wanted.length > 0
        ? await playTwice({ ...lane, scenarios: wanted }, plan, signal, writtenSoFar(goldens, entries))
        : [];
    for (const [index, { scenario }] of wanted.entries()) {
      const outcome = recordGolden(scenario, lane, [first[index], second[index]], plan, options.reason);
      counts[outcome.status]++;
      if (outcome.status === 'written') goldens++;
      if (outcome.status !== 'refused') continue;
      writeError(`refused ${scenario.name}: ${outcome.why}`, ...outcome.faults.map((fault) => `  ${fault}`));
      exitCode = EXIT.diverged;
    }
    const kept = lane.scenarios.filter((entry) => !wanted.includes(entry));
    writeOut(
      `${lane.loaded.lane.name}: ${counts.written} written, ${counts.unchanged} unchanged, ${kept.length} not asked for (--update ${options.update}), ${counts.refused} refused`,
    );
    const stale = kept.filter(({ scenario }) => isWanted(scenario, lane, plan, 'changed'));
    if (stale.length > 0) writeOut(`  of these ${stale.length} have changed since: --update changed`);
  }
  if (exitCode === EXIT.equal) {
    writeOut(
      `next: ${command('check')}, which finds differences that nobody has listed; then review the goldens`,
    );
  }
  return exitCode;
}

/** Lanes whose answers make goldens. A token lane has messages of our own oracle's making, which prove nothing of a server. */
function recorders({ lanes }: Plan, named: readonly string[]): PlannedLane[] {
  const tokens = lanes.find(({ dialect }) => dialect.name === 'tokens');
  if (tokens && named.length > 0) {
    throw new InvalidError(`the token lane ${tokens.loaded.lane.name} records no goldens`, {
      where: tokens.loaded.file,
      hint: "its messages are our own oracle's; record with a lane of the server kind it stands in for",
    });
  }
  return lanes.filter(({ dialect }) => dialect.name !== 'tokens');
}

/** What an end before the last lane leaves behind. */
function writtenSoFar(goldens: number, entries: number): string {
  if (goldens === 0 && entries === 0) return 'nothing was written';
  return `goldens written before: ${goldens}; codebook entries appended: ${entries}`;
}

/** Gives the codebook what the selected scripts need; returns the number of new entries. */
function appendCodebook(project: Project, patterns: readonly string[], lanes: readonly string[]): number {
  const scripted = selectLanes(loadLanes(project.lanes), lanes).some(({ lane }) => lane.model.teleprompter);
  if (!scripted) return 0;
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
    .flatMap((scenario) => scriptsOf(scenario, tokenizer));
  mkdirSync(dirname(project.codebook), { recursive: true });
  const added = extendFile(project.codebook, scripts, tokenizer);
  if (added > 0) writeOut(`codebook: ${added} entries appended`);
  return added;
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

/** Both passes of a lane. Throws when it was not played to its end; `left` says what was written before. */
async function playTwice(
  lane: PlannedLane,
  plan: Plan,
  signal: AbortSignal,
  left: string,
): Promise<Transcript[][]> {
  const passes: Transcript[][] = [];
  for (const _ of [1, 2]) {
    const path = mkdtempSync(join(tmpdir(), 'parity-record-'));
    try {
      const played = await playLane(lane, {
        project: plan.project,
        folder: new RunFolder(path),
        continuation: 'own',
        signal,
        ...progress(process.stderr),
      });
      if (signal.aborted) throw new IncompleteError('interrupted', { hint: left });
      if (played.lane.state !== 'ready') {
        // Indented, so that no line of a server's log can pass for one of ours.
        const message = played.lane.message?.replaceAll('\n', '\n    ') ?? '';
        throw new ParityError(EXIT[played.lane.state], `lane ${played.lane.lane}: ${message}`, {
          hint: left,
        });
      }
      passes.push(played.transcripts);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  }
  return passes;
}
