import { execa } from 'execa';

/** MiB in use per GPU; undefined where there is no `nvidia-smi`, or it does not tell. */
export async function gpuMemory(): Promise<number[] | undefined> {
  const { exitCode, stdout } = await execa(
    'nvidia-smi',
    ['--query-gpu=memory.used', '--format=csv,noheader,nounits'],
    { reject: false, timeout: 10_000 },
  );
  const used = stdout.split('\n').map(Number);
  // Devices that share memory with others say [N/A].
  return exitCode === 0 && used.every(Number.isFinite) ? used : undefined;
}

/** What a driver may keep after a process has gone, in MiB. */
const SLACK_MIB = 512;
const WITHIN_MS = 30_000;

/** Waits until a stopped server has given its memory back, so that the next one does not start into it. */
export async function gpuMemoryBack(before: readonly number[] | undefined): Promise<void> {
  const until = performance.now() + WITHIN_MS;
  while (before && performance.now() < until) {
    const now = (await gpuMemory()) ?? [];
    if (now.every((used, gpu) => used <= (before[gpu] ?? 0) + SLACK_MIB)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
