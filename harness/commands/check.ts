import { join } from 'node:path';
import { staleAssertion } from '../compare/bookkeeping.ts';
import { EXIT, ParityError } from '../errors.ts';
import { auditProjections, DifferenceList, entryFor } from '../goldens/differences.ts';
import { loadGolden } from '../goldens/load.ts';
import { GoldenStore } from '../goldens/store.ts';
import { WaiverList } from '../goldens/waivers.ts';
import { loadLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import { projectAt } from '../project.ts';
import { turnTexts } from '../replay/messages.ts';
import { printable } from '../report/escape.ts';
import { scriptOf } from '../run/plan.ts';
import { loadScenarios } from '../scenario/scenario.ts';

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
  const differences = attempt(() => DifferenceList.load(join(project.goldens, 'differences.yaml')));
  attempt(() => WaiverList.load(join(project.goldens, 'waivers.yaml'), ''));
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
    const golden = attempt(() => loadGolden(store, scenario, key, oracle, own));
    if (golden && differences) {
      const audit = auditProjections(golden, differences);
      for (const unlisted of audit.unlisted) {
        const what = `${store.file(key)}: turn ${unlisted.place.turn}: a difference in ${unlisted.field} that nobody has listed`;
        problems.push(`${what}; if it is meant, add to goldens/differences.yaml:\n${entryFor(unlisted)}`);
      }
      for (const { outcome } of audit.stale.map(staleAssertion)) {
        if (outcome.status === 'differs') problems.push(`${store.file(key)}: ${outcome.difference.summary}`);
      }
    }
  }
  for (const problem of problems) process.stderr.write(`${problem.split('\n').map(printable).join('\n')}\n`);
  process.stdout.write(
    `checked ${scenarios.length} scenarios, ${lanes.length} lanes, ${keys.length} goldens: ${problems.length} problems\n`,
  );
  return problems.length === 0 ? EXIT.equal : EXIT.invalid;
}
