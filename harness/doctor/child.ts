import { execa } from 'execa';

/** How a helper program ended. */
export type Ran =
  | { state: 'done'; stdout: string }
  | { state: 'failed'; reason: string }
  | { state: 'missing' }
  | { state: 'slow'; seconds: number };

/** Bytes of output that are kept. */
const MAX_OUTPUT = 64 * 1024;

/** Runs a program without a shell, for a bounded time; its whole output is short or cut. */
export async function runBriefly(
  file: string,
  args: readonly string[],
  { seconds, env, signal }: { seconds: number; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<Ran> {
  const result = await execa(file, args, {
    reject: false,
    stdin: 'ignore',
    timeout: seconds * 1000,
    forceKillAfterDelay: 1000,
    maxBuffer: MAX_OUTPUT,
    // An environment of its own replaces ours.
    ...(env ? { env, extendEnv: false } : {}),
    ...(signal ? { cancelSignal: signal } : {}),
  });
  signal?.throwIfAborted();
  if (result.timedOut) return { state: 'slow', seconds };
  if (!result.failed) return { state: 'done', stdout: (result.stdout ?? '').trim() };
  if (result.code === 'ENOENT') return { state: 'missing' };
  const last = `${result.stdout}\n${result.stderr}`.trim().split('\n').at(-1) ?? '';
  return { state: 'failed', reason: last || `exit code ${result.exitCode ?? 'unknown'}` };
}
