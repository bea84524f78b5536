import { existsSync } from 'node:fs';
import { expectedOf } from '../compare/judge-run.ts';
import { type Judges, judgesOf } from '../compare/judges.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { History } from '../domain.ts';
import { IncompleteError, InvalidError } from '../errors.ts';
import type { Script } from '../goldens/identity.ts';
import { loadGolden } from '../goldens/load.ts';
import { attachUrl, laneDialect } from '../lanes/connect.ts';
import { checkLaunch } from '../lanes/launch/check.ts';
import { type LoadedLane, loadLanes, selectLanes, templateOf } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import type { Project } from '../project.ts';
import { type TurnTexts, turnTexts } from '../replay/messages.ts';
import { type LoadedScenario, loadScenarios, selectNames } from '../scenario/scenario.ts';
import type { Golden } from '../schemas/types.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import { chatTemplate } from './template.ts';

/** One scenario as one lane will play it. */
export interface PlannedScenario {
  scenario: LoadedScenario;
  texts: TurnTexts[];
  /** Absent only while recording. */
  golden?: Golden;
}

export interface PlannedLane {
  loaded: LoadedLane;
  dialect: Dialect;
  history: History;
  /** The oracle with this lane's chat template. */
  oracle: Oracle;
  scenarios: PlannedScenario[];
}

export interface Plan extends Judges {
  project: Project;
  scenarios: LoadedScenario[];
  lanes: PlannedLane[];
}

export interface PlanOptions {
  patterns: readonly string[];
  lanes: readonly string[];
  history?: History | undefined;
  /** Recording plans without goldens. */
  goldens: 'required' | 'none';
}

/**
 * Decides everything that can be wrong before anything runs: scenario, lane, codebook and golden files. Throws
 * {@link InvalidError} (exit 2), or {@link IncompleteError} (exit 4) when nothing is selected.
 */
export function planRun(project: Project, options: PlanOptions): Plan {
  const all = loadScenarios(project.scenarios);
  const lanes = selectLanes(loadLanes(project.lanes), options.lanes);
  if (lanes.length === 0) {
    throw new IncompleteError('no lane is selected', {
      hint: 'name one with --lane; `parity list` shows them',
    });
  }
  const allNames = all.map(({ name }) => name);
  const idle = options.patterns.find(
    (pattern) => !pattern.startsWith('!') && selectNames(allNames, [pattern]).length === 0,
  );
  if (idle !== undefined) {
    throw new IncompleteError(`no scenario is selected by ${idle}`, {
      hint: `there are ${all.length}; \`parity list\` shows their names`,
    });
  }
  const names = new Set(selectNames(allNames, options.patterns));
  const scenarios = all.filter(({ name }) => names.has(name));
  if (scenarios.length === 0) {
    const asked = options.patterns.length > 0 ? ` by ${options.patterns.join(' ')}` : '';
    throw new IncompleteError(`no scenario is selected${asked}`, {
      hint: `there are ${all.length}; \`parity list\` shows their names`,
    });
  }
  const judges = judgesOf(project);
  const { store } = judges;
  const planned = lanes.map((loaded): PlannedLane => {
    const history = options.history ?? loaded.lane.history ?? 'spliced';
    const oracle = laneOracle(loaded, project, judges.oracle);
    const dialect = laneDialect(loaded, history, oracle);
    if (loaded.lane.attach) attachUrl(loaded.lane.attach.url, loaded.file);
    checkLaunch(loaded, project);
    const script = scriptOf(loaded, project, oracle);
    const own = new Set(
      selectNames(
        scenarios.map(({ name }) => name),
        loaded.lane.scenarios ?? [],
      ),
    );
    return {
      loaded,
      dialect,
      history,
      oracle,
      scenarios: scenarios
        .filter(({ name }) => own.has(name))
        .map((scenario) => {
          const texts = turnTexts(scenario, oracle, script);
          if (options.goldens === 'none') return { scenario, texts };
          const key = { model: loaded.lane.model.name, history };
          const golden = loadGolden(store, scenario, key, oracle, script);
          expectedOf(golden, dialect.projection, store.file(golden));
          return { scenario, texts, golden };
        }),
    };
  });
  // A lane asked for by name must not vanish; the default ones may have nothing to play in a selection.
  const unplayed = planned.find((lane) => lane.scenarios.length === 0);
  if (unplayed && options.lanes.length > 0) {
    throw new IncompleteError(`the lane ${unplayed.loaded.lane.name} plays none of the selected scenarios`, {
      where: unplayed.loaded.file,
      hint: 'see `scenarios:` there',
    });
  }
  if (planned.every((lane) => lane.scenarios.length === 0)) {
    throw new IncompleteError('the selected lanes play none of the selected scenarios', {
      hint: 'see `scenarios:` in the lane files',
    });
  }
  return { project, ...judges, scenarios, lanes: planned.filter((lane) => lane.scenarios.length > 0) };
}

/** The oracle with a lane's own chat template, or the common one. */
export function laneOracle(loaded: LoadedLane, project: Project, common: Oracle): Oracle {
  const source = templateOf(loaded, project.root);
  return source === undefined ? common : new Oracle(common.tokenizer, chatTemplate(source, loaded.file));
}

/** The codebook and lag of a lane whose model is scripted. */
export function scriptOf({ lane }: LoadedLane, project: Project, oracle: Oracle): Script | undefined {
  const lag = lane.model.teleprompter?.lag;
  if (!lag) return undefined;
  if (!existsSync(project.codebook)) {
    throw new InvalidError('no codebook', {
      where: project.codebook,
      hint: '`parity init` makes one; `parity record` appends to it',
    });
  }
  return { lag, book: loadCodebook(project.codebook, (text) => oracle.tokenizer.encode(text)) };
}
