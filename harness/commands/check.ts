import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadGolden } from '../compare/judge-run.ts';
import { EXIT, ParityError } from '../errors.ts';
import { GoldenStore } from '../goldens/store.ts';
import { loadLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import { projectAt } from '../project.ts';
import { turnTexts } from '../replay/messages.ts';
import { printable } from '../report/escape.ts';
import { scriptOf } from '../run/plan.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import { loadYaml } from '../yaml/load.ts';

/** `parity check`: every file of the project by itself and against the others, without a server. */
export function checkCommand(): number {
  const project = projectAt();
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
  const scripted = lanes.find(({ lane }) => lane.model.teleprompter);
  const script = scripted && attempt(() => scriptOf(scripted, project, oracle));
  for (const scenario of scenarios) if (script) attempt(() => turnTexts(scenario, oracle, script));
  const keys = store.list();
  for (const key of keys) {
    const scenario = scenarios.find(({ name }) => name === key.scenario);
    if (!scenario) {
      problems.push(
        `${store.file(key)}: no scenario '${key.scenario}'\n  delete the golden, or bring the scenario back`,
      );
      continue;
    }
    const own = scripted?.lane.model.name === key.model ? script : undefined;
    attempt(() => loadGolden(store, scenario, key, oracle, own));
  }
  for (const kind of ['differences', 'waivers'] as const) {
    const file = join(project.goldens, `${kind}.yaml`);
    if (existsSync(file)) attempt(() => loadYaml(kind, file));
  }
  for (const problem of problems) process.stderr.write(`${problem.split('\n').map(printable).join('\n')}\n`);
  process.stdout.write(
    `checked ${scenarios.length} scenarios, ${lanes.length} lanes, ${keys.length} goldens: ${problems.length} problems\n`,
  );
  return problems.length === 0 ? EXIT.equal : EXIT.invalid;
}
