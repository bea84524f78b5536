import { join } from 'node:path';
import { staleAssertion } from '../compare/bookkeeping.ts';
import { InvalidError, ParityError } from '../errors.ts';
import { auditProjections, DifferenceList, entryFor } from '../goldens/differences.ts';
import { loadGolden } from '../goldens/load.ts';
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
  const scenarios = attempt(() => loadScenarios(project.scenarios)) ?? [];
  const lanes = attempt(() => loadLanes(project.lanes)) ?? [];
  const differences = attempt(() => DifferenceList.load(join(project.goldens, 'differences.yaml')));
  attempt(() => WaiverList.load(join(project.goldens, 'waivers.yaml'), ''));
  for (const lane of lanes) attempt(() => checkLane(lane, scenarios, project, oracle));
  const keys = store.list();
  for (const key of keys) {
    const golden = attempt(() => checkGolden(key, { store, scenarios, lanes, project, oracle }));
    if (golden && differences) problems.push(...projectionProblems(golden, differences, store.file(key)));
  }
  return {
    scenarios: scenarios.length,
    lanes: lanes.length,
    goldens: keys.length,
    problems: [...new Set(problems)],
  };
}

/** A lane must speak a known dialect, and what it plays must fit its scripted model. */
function checkLane(
  lane: LoadedLane,
  scenarios: readonly LoadedScenario[],
  project: Project,
  common: Oracle,
): void {
  const oracle = laneOracle(lane, project, common);
  laneDialect(lane, lane.lane.history ?? 'spliced', oracle);
  const script = scriptOf(lane, project, oracle);
  const own = new Set(
    selectNames(
      scenarios.map(({ name }) => name),
      lane.lane.scenarios ?? [],
    ),
  );
  for (const scenario of scenarios) if (own.has(scenario.name)) turnTexts(scenario, oracle, script);
}

interface GoldenNeighbours {
  store: GoldenStore;
  scenarios: readonly LoadedScenario[];
  lanes: readonly LoadedLane[];
  project: Project;
  oracle: Oracle;
}

/** A golden must have a scenario and a lane, and rest on what they are now. */
function checkGolden(key: GoldenKey, { store, scenarios, lanes, project, oracle }: GoldenNeighbours): Golden {
  const scenario = scenarios.find(({ name }) => name === key.scenario);
  if (!scenario) throw orphan(store.file(key), `no scenario '${key.scenario}'`, 'scenario');
  const lane = lanes.find(({ lane: { model } }) => model.name === key.model);
  if (!lane) throw orphan(store.file(key), `no lane has the model '${key.model}'`, 'lane');
  const own = laneOracle(lane, project, oracle);
  return loadGolden(store, scenario, key, own, scriptOf(lane, project, own));
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
