import { createInterface } from 'node:readline';
import type { Family } from './processes.ts';
import { type StopOptions, stopFamily } from './stop.ts';

/*
 * A process of its own that outlives the harness by a few seconds. The harness holds its standard input open and tells it
 * which processes to end; when that input ends without word, the harness has died and they are ended here.
 */

/** What the harness says, one JSON line each; the last one counts. */
export type WatchdogWord = { watch: { family: Family; stop: StopOptions } } | { done: true };

async function main(): Promise<void> {
  let last: WatchdogWord | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    last = JSON.parse(line) as WatchdogWord; // Only engine.ts holds the other end.
  }
  if (last && 'watch' in last) await stopFamily(last.watch.family, last.watch.stop);
}

// Ctrl-C in the terminal reaches the harness, which then stops the lane in order.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
await main();
