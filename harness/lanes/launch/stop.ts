import { execa } from 'execa';
import { type Family, membersOf, signal } from './processes.ts';

/** Milliseconds of every step; without a stop command they stay below the ten seconds that a stop may take. */
const STOP_COMMAND_MS = 8_000;
const TERM_MS = 4_000;
const KILL_MS = 5_000;
const LOOK_MS = 100;

export interface StopOptions {
  /** Run first, for what no signal reaches. */
  command?: readonly string[] | undefined;
  env?: Record<string, string> | undefined;
}

/**
 * Ends every process of a launch: the lane's own stop command, SIGTERM to the one that was started so that it ends the others
 * in order, then SIGKILL to whoever is left. Returns those that survived all of it, as `pid command`.
 */
export async function stopFamily(family: Family, { command, env }: StopOptions = {}): Promise<string[]> {
  if (command) await runStop(command, env);
  if (membersOf(family).length === 0) return [];
  if (family.leader !== undefined) signal(family.leader, 'SIGTERM');
  // Without a living leader nobody would pass the word on.
  const orphans = membersOf(family).every(({ pid }) => pid !== family.leader);
  if (orphans) for (const { pid } of membersOf(family)) signal(pid, 'SIGTERM');
  await emptied(family, TERM_MS, () => {});
  await emptied(family, KILL_MS, (pid) => signal(pid, 'SIGKILL'));
  // One without a command line has given its memory back and is on its way out.
  const left = membersOf(family).filter(({ command: line }) => line !== '');
  return left.map(({ pid, command: line }) => `${pid} ${line}`);
}

async function runStop(
  [program = '', ...args]: readonly string[],
  env?: Record<string, string>,
): Promise<void> {
  await execa(program, args, {
    reject: false,
    timeout: STOP_COMMAND_MS,
    stdio: 'ignore',
    ...(env ? { env, extendEnv: false } : {}),
  });
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
