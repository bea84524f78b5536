import { createInterface } from 'node:readline';
import { stopFamily } from './stop.ts';

/*
 * A process of its own that outlives the harness by a few seconds. The harness holds its standard input open and tells it
 * which processes to end; when that input ends without word, the harness has died and they are ended here.
 */

/** What the harness says, one JSON line each. */
export type WatchdogWord =
  | {
      watch: {
        marker: string;
        leader: number | undefined;
        stop?: readonly string[];
        env?: Record<string, string>;
      };
    }
  | { done: true };

async function main(): Promise<void> {
  let watched: Extract<WatchdogWord, { watch: unknown }>['watch'] | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    const word = JSON.parse(line) as WatchdogWord; // Written by launch.ts, in our own process.
    if ('done' in word) return;
    watched = word.watch;
  }
  if (watched) await stopFamily(watched, { command: watched.stop, env: watched.env });
}

// Ctrl-C in the terminal reaches the harness, which then stops the lane in order.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
await main();
