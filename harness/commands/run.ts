import type { Against, Continuation, History } from '../domain.ts';
import { isServerKind } from '../embedded/kinds.ts';
import { InvalidError } from '../errors.ts';
import { plantedFault } from '../lanes/embedded.ts';
import { projectAt } from '../project.ts';
import { pairTable } from '../report/pair-table.ts';
import { progress } from '../report/progress.ts';
import { terminalReport } from '../report/terminal.ts';
import { writeOut } from '../report/write.ts';
import { execute } from '../run/execute.ts';
import { type Plan, planRun } from '../run/plan.ts';

export interface RunOptions {
  lane: string[];
  out?: string;
  history?: History;
  continue: Continuation;
  against: Against;
  plant?: string;
  localise?: boolean;
}

/** `parity run`: play, judge, assert, report. Returns the exit code. */
export async function runCommand(
  patterns: string[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<number> {
  if (options.plant === 'list' || options.plant === 'all') {
    if (patterns.length > 0 || options.lane.length > 0 || options.out !== undefined) {
      throw new InvalidError(`--plant ${options.plant} chooses scenarios, lanes and folders itself`, {
        hint: 'name one fault to choose them: `parity run --plant list` prints all',
      });
    }
    const { plantList, plantAll } = await import('./plant.ts');
    return options.plant === 'list' ? plantList() : plantAll(signal);
  }
  const plan = planRun(projectAt(), {
    patterns,
    lanes: options.lane,
    history: options.history,
    goldens: options.against === 'goldens' ? 'required' : 'none',
  });
  if (options.against === 'each-other') requireTwoLanes(plan);
  if (options.localise && options.against === 'each-other') {
    throw new InvalidError('--localise asks about differences from the goldens', {
      hint: 'leave out --against each-other',
    });
  }
  if (options.plant !== undefined) requirePlanted(options.plant, plan);
  const { folder, results } = await execute(plan, {
    out: options.out,
    continuation: options.continue,
    plant: options.plant,
    localise: options.localise,
    against: options.against,
    command: process.argv.slice(2),
    signal,
    ...progress(process.stderr),
  });
  const { tokenizer } = plan.oracle;
  if (options.against === 'each-other') writeOut(...pairTable(results), '');
  writeOut(...terminalReport(results, (ids) => tokenizer.decode(ids), folder.path));
  return results.exitCode;
}

/** A fault that acts on no lane of the run would prove nothing. */
function requirePlanted(name: string, { lanes }: Plan): void {
  const acts = lanes.some(
    ({ loaded: { lane } }) => lane.embedded && isServerKind(lane.server) && plantedFault(name, lane.server),
  );
  if (acts) return;
  throw new InvalidError(`the fault '${name}' acts on none of these lanes`, {
    hint: '`parity run --plant list` shows where each acts',
  });
}

/** Lanes can only be compared when they render history alike. */
function requireTwoLanes({ lanes }: Plan): void {
  if (lanes.length < 2) {
    throw new InvalidError('comparing lanes with each other needs two of them', {
      hint: 'name them: --lane a,b',
    });
  }
  const histories = new Set(lanes.map(({ history }) => history));
  if (histories.size > 1) {
    throw new InvalidError(`the lanes do not make their prompts alike: ${[...histories].join(' and ')}`, {
      hint: 'choose one with --history',
    });
  }
}
