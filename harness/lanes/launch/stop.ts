import { execa } from 'execa';
import { type Family, MARKER, membersOf, signal } from './processes.ts';

/** `docker stop` alone gives a container ten seconds. */
const STOP_COMMAND_MS = 20_000;
/** Milliseconds of the other steps; together they stay below the ten seconds that a stop may take. */
const TERM_MS = 4_000;
const KILL_MS = 5_000;
const LOOK_MS = 100;

export interface StopOptions {
  /** Run first, for what no signal reaches. */
  command?: readonly string[] | undefined;
  env: Record<string, string>;
  cwd: string;
}

/**
 * Ends every process of a launch: the lane's own stop command, SIGTERM to the one that was started so that it ends the others
 * in order, then SIGKILL to whoever is left. Returns what is wrong afterwards: a stop command that failed, and survivors as
 * `pid command`.
 */
export async function stopFamily(family: Family, options: StopOptions): Promise<string[]> {
  const fault = options.command && (await runStop(family, options.command, options));
  const wrong = fault === undefined ? [] : [fault];
  if (membersOf(family).length === 0) return wrong;
  if (family.leader !== undefined) signal(family.leader, 'SIGTERM');
  // Without a living leader nobody would pass the word on.
  const orphans = membersOf(family).every(({ pid }) => pid !== family.leader);
  if (orphans) for (const { pid } of membersOf(family)) signal(pid, 'SIGTERM');
  await emptied(family, TERM_MS, () => {});
  await emptied(family, KILL_MS, (pid) => signal(pid, 'SIGKILL'));
  // One without a command line has given its memory back and is on its way out.
  const left = membersOf(family).filter(({ command }) => command !== '');
  return [...wrong, ...left.map(({ pid, command }) => `${pid} ${command}`)];
}

/** Runs the lane's own stop command, marked so that what it leaves behind is ended too; says how it failed. */
async function runStop(
  { marker }: Family,
  command: readonly string[],
  { env, cwd }: StopOptions,
): Promise<string | undefined> {
  const [program = '', ...args] = command;
  const { exitCode, timedOut, failed } = await execa(program, args, {
    reject: false,
    timeout: STOP_COMMAND_MS,
    stdio: 'ignore',
    cwd,
    env: { ...env, [MARKER]: marker },
    extendEnv: false,
  });
  if (!failed) return undefined;
  const how = timedOut
    ? `took more than ${STOP_COMMAND_MS / 1000} s`
    : `failed (${exitCode ?? 'not started'})`;
  return `the stop command '${program}' ${how}`;
}

/** Waits until nobody is left, doing something to each of them at every look. */
async function emptied(family: Family, withinMs: number, each: (pid: number) => void): Promise<void> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    const members = membersOf(family);
    if (members.length === 0) return;
    for (const { pid } of members) each(pid);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
