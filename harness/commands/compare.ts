import { judgesOf } from '../compare/judges.ts';
import type { History } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import { projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { pairTable } from '../report/pair-table.ts';
import { terminalReport } from '../report/terminal.ts';
import { writeOut } from '../report/write.ts';
import { judgeFolder } from '../run/execute.ts';
import { loadScenarios, selectNames } from '../scenario/scenario.ts';
import { runCommand } from './run.ts';

export interface CompareOptions {
  history?: History;
  run?: string;
  out?: string;
}

/** `parity compare`: two lanes with each other, live or from a recorded run. Returns the exit code. */
export async function compareCommand(
  lanes: [string, string],
  patterns: string[],
  { run, ...options }: CompareOptions,
  signal: AbortSignal,
): Promise<number> {
  if (run === undefined) {
    return runCommand(patterns, { ...options, lane: lanes, continue: 'own', against: 'each-other' }, signal);
  }
  const project = projectAt();
  const folder = RunFolder.open(run, project.reports);
  const recorded = folder.readRun();
  for (const lane of lanes) {
    if (recorded.lanes.some((entry) => entry.lane === lane)) continue;
    throw new InvalidError(`no lane '${lane}' in ${folder.path}`, {
      hint: `lanes of that run: ${recorded.lanes.map((entry) => entry.lane).join(', ')}`,
    });
  }
  const judges = judgesOf(project);
  const results = judgeFolder(
    { ...judges, scenarios: loadScenarios(project.scenarios) },
    folder,
    { launch_ms: 0, replay_ms: 0, compare_ms: 0, write_ms: 0, total_ms: 0 },
    {
      ...recorded,
      lanes: lanes.flatMap((lane) => recorded.lanes.filter((entry) => entry.lane === lane)),
      scenarios: selectNames(recorded.scenarios, patterns),
      options: { ...recorded.options, against: 'each-other' },
    },
  );
  writeOut(...pairTable(results), '');
  writeOut(...terminalReport(results, (ids) => judges.oracle.tokenizer.decode(ids), folder.path));
  return results.exitCode;
}
