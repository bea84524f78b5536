import { GoldenStore } from '../goldens/store.ts';
import { loadLanes } from '../lanes/load.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { writeOut } from '../report/write.ts';
import { loadScenarios, selectNames } from '../scenario/scenario.ts';

/** `parity list`: lanes, and scenarios with their size and goldens. */
export function listCommand(patterns: string[]): number {
  const project = projectAt();
  const goldens = new GoldenStore(project.goldens, loadTokenizer()).list();
  const all = loadScenarios(project.scenarios);
  const names = new Set(
    selectNames(
      all.map(({ name }) => name),
      patterns,
    ),
  );
  const lines = ['lanes'];
  for (const { lane } of loadLanes(project.lanes)) {
    const how = lane.embedded ? 'embedded, emulated' : lane.launch ? 'launch' : 'attach';
    lines.push(`  ${lane.name.padEnd(28)} ${lane.server}, ${lane.model.name}, ${how}`);
  }
  lines.push('', 'scenarios');
  for (const { name, document } of all.filter((scenario) => names.has(scenario.name))) {
    const own = goldens
      .filter(({ scenario }) => scenario === name)
      .map(({ model, history }) => `${model}/${history}`);
    const turns = `${document.turns.length} turn${document.turns.length === 1 ? '' : 's'}`;
    lines.push(`  ${name.padEnd(28)} ${turns.padEnd(9)} ${own.join(', ') || 'no golden'}`);
  }
  writeOut(...lines);
  return 0;
}
