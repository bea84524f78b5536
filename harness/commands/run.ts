import type { Continuation, History } from '../domain.ts';
import { projectAt } from '../project.ts';
import { progress } from '../report/progress.ts';
import { terminalReport } from '../report/terminal.ts';
import { execute } from '../run/execute.ts';
import { planRun } from '../run/plan.ts';

export interface RunOptions {
  lane: string[];
  out?: string;
  history?: History;
  continue: Continuation;
  plant?: string;
}

/** `parity run`: play, judge, assert, report. Returns the exit code. */
export async function runCommand(
  patterns: string[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<number> {
  if (options.plant === 'list' || options.plant === 'all') {
    const { plantList, plantAll } = await import('./plant.ts');
    return options.plant === 'list' ? plantList() : plantAll(signal);
  }
  const plan = planRun(projectAt(), {
    patterns,
    lanes: options.lane,
    history: options.history,
    goldens: 'required',
  });
  const { folder, results } = await execute(plan, {
    out: options.out,
    continuation: options.continue,
    plant: options.plant,
    command: process.argv.slice(2),
    signal,
    onScenario: progress(process.stderr),
  });
  const { tokenizer } = plan.oracle;
  process.stdout.write(`${terminalReport(results, (ids) => tokenizer.decode(ids), folder.path)}\n`);
  return results.exitCode;
}
