import { join } from 'node:path';
import { staleAssertion } from '../compare/bookkeeping.ts';
import { expectedOf } from '../compare/judge-run.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { InvalidError, ParityError } from '../errors.ts';
import { auditProjections, DifferenceList, entryFor } from '../goldens/differences.ts';
import type { Script } from '../goldens/identity.ts';
import { requireFit } from '../goldens/load.ts';
import { type GoldenKey, GoldenStore } from '../goldens/store.ts';
import { WaiverList } from '../goldens/waivers.ts';
import { laneDialect } from '../lanes/connect.ts';
import { type LoadedLane, loadLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import type { Project } from '../project.ts';
import { turnTexts } from '../replay/messages.ts';
import { type LoadedScenario, loadScenarios, selectNames } from '../scenario/scenario.ts';
import type { Golden } from '../schemas/types.ts';
import { laneOracle, scriptOf } from './plan.ts';

export interface ProjectCheck {
  scenarios: number;
  lanes: number;
  goldens: number;
  /** What is wrong, each with its place and what to do. */
  problems: string[];
}

/** Checks every file of a project by itself and against the others, without a server; one fault does not hide another. */
export function checkProject(project: Project): ProjectCheck {
  const problems: string[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ParityError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const oracle = new Oracle();
  const store = new GoldenStore(project.goldens, oracle.tokenizer);
  // Undefined where they could not be loaded: that is told once, and nothing is concluded from it.
  const scenarios = attempt(() => loadScenarios(project.scenarios));
  const lanes = attempt(() => loadLanes(project.lanes));
  const differences = attempt(() => DifferenceList.load(join(project.goldens, 'differences.yaml')));
  attempt(() => WaiverList.load(join(project.goldens, 'waivers.yaml'), ''));
  const prepared = (lanes ?? []).flatMap((lane) => attempt(() => prepareLane(lane, project, oracle)) ?? []);
  const keys = store.list();
  const goldens = new Map<string, Golden | undefined>();
  for (const key of keys) {
    const file = store.file(key);
    const golden = attempt(() => store.load(key));
    goldens.set(file, golden);
    if (scenarios && lanes) attempt(() => requireNeighbours(key, file, scenarios, lanes));
    const scenario = scenarios?.find(({ name }) => name === key.scenario);
    const lane = prepared.find(({ loaded }) => loaded.lane.model.name === key.model);
    if (golden && scenario && lane)
      attempt(() => requireFit(golden, scenario, lane.oracle, lane.script, file));
    if (golden && differences) problems.push(...projectionProblems(golden, differences, file));
  }
  for (const lane of prepared) {
    for (const scenario of ownScenarios(lane.loaded, scenarios ?? [])) {
      attempt(() => turnTexts(scenario, lane.oracle, lane.script));
      attempt(() => checkPlayed(scenario, lane, store, goldens));
    }
  }
  return {
    scenarios: scenarios?.length ?? 0,
    lanes: lanes?.length ?? 0,
    goldens: keys.length,
    problems: [...new Set(problems)],
  };
}

interface PreparedLane {
  loaded: LoadedLane;
  dialect: Dialect;
  oracle: Oracle;
  script: Script | undefined;
}

/** A lane must speak a known dialect, and its template and codebook must be there. */
function prepareLane(loaded: LoadedLane, project: Project, common: Oracle): PreparedLane {
  const oracle = laneOracle(loaded, project, common);
  const dialect = laneDialect(loaded, loaded.lane.history ?? 'spliced', oracle);
  return { loaded, dialect, oracle, script: scriptOf(loaded, project, oracle) };
}

function ownScenarios({ lane }: LoadedLane, scenarios: readonly LoadedScenario[]): LoadedScenario[] {
  const names = scenarios.map(({ name }) => name);
  const own = new Set(selectNames(names, lane.scenarios ?? []));
  return scenarios.filter(({ name }) => own.has(name));
}

/** What a lane plays must have a golden that rests on what scenario and lane are now, with its server kind's messages. */
function checkPlayed(
  scenario: LoadedScenario,
  { loaded: { lane }, dialect, oracle, script }: PreparedLane,
  store: GoldenStore,
  goldens: ReadonlyMap<string, Golden | undefined>,
): void {
  const key = { model: lane.model.name, history: lane.history ?? 'spliced', scenario: scenario.name };
  const file = store.file(key);
  // One that cannot be read has been told of.
  const golden = goldens.has(file) ? goldens.get(file) : store.load(key);
  if (!golden) return;
  requireFit(golden, scenario, oracle, script, file);
  expectedOf(golden, dialect.projection, file);
}

/** A golden must be of a scenario and a model that still exist. */
function requireNeighbours(
  key: GoldenKey,
  file: string,
  scenarios: readonly LoadedScenario[],
  lanes: readonly LoadedLane[],
): void {
  const isOf = ({ lane: { model } }: LoadedLane): boolean => model.name === key.model;
  if (!scenarios.some(({ name }) => name === key.scenario))
    throw orphan(file, `no scenario '${key.scenario}'`, 'scenario');
  if (!lanes.some(isOf)) throw orphan(file, `no lane has the model '${key.model}'`, 'lane');
}

const orphan = (where: string, what: string, missing: string): InvalidError =>
  new InvalidError(what, { where, hint: `delete the golden, or bring the ${missing} back` });

function projectionProblems(golden: Golden, differences: DifferenceList, file: string): string[] {
  const { unlisted, stale } = auditProjections(golden, differences);
  const missing = unlisted.map((found) => {
    const what = `${file}: turn ${found.place.turn}: a difference in ${found.field} that nobody has listed`;
    return `${what}; if it is meant, add to goldens/differences.yaml:\n${entryFor(found)}`;
  });
  const gone = stale
    .map(staleAssertion)
    .flatMap(({ outcome }) =>
      outcome.status === 'differs' ? [`${file}: ${outcome.difference.summary}`] : [],
    );
  return [...missing, ...gone];
}
