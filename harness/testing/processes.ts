import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Command lines of processes that work in `cwd` and hold `text`, once there are none or ten seconds have passed: what a stop
 * must have ended by then. Linux only.
 */
export async function untilGone(cwd: string, text: string): Promise<string[]> {
  const until = performance.now() + 10_000;
  for (;;) {
    const left = running(cwd, text);
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Command lines of processes that work in `cwd` and hold `text`. */
export function running(cwd: string, text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== cwd) return [];
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return line.includes(text) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}
