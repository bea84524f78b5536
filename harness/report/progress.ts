import type { WriteStream } from 'node:tty';

/** Lines of a log between two signs of life. */
const STEP = 10;
/** Between two signs of life of a server that is starting, in milliseconds. */
const HEARTBEAT_MS = 30_000;

export interface Progress {
  onPhase(lane: string, phase: string): void;
  onScenario(lane: string, done: number, of: number): void;
  /** The lane is over: nothing more is written for it, and what follows begins a line of its own. */
  onLaneEnd(): void;
}

/** Progress of a run: one line that is rewritten on a terminal, now and then a line in a log. */
export function progress(stream: WriteStream): Progress {
  let heartbeat: NodeJS.Timeout | undefined;
  let open = false;
  const write = (line: string, last: boolean): void => {
    open = stream.isTTY && !last;
    if (stream.isTTY) stream.write(`\r\u001b[2K${line}${last ? '\n' : ''}`);
    else stream.write(`${line}\n`);
  };
  const startedAt = new Map<string, number>();
  return {
    onPhase(lane, phase) {
      const now = performance.now();
      if (!startedAt.has(lane)) startedAt.set(lane, now);
      const since = startedAt.get(lane) ?? now;
      const show = (): void => {
        const seconds = Math.round((performance.now() - since) / 1000);
        write(`launch      ${lane}: ${phase} (${seconds} s)`, phase === 'ready');
      };
      clearInterval(heartbeat);
      show();
      if (phase !== 'ready') heartbeat = setInterval(show, stream.isTTY ? 1_000 : HEARTBEAT_MS).unref();
    },
    onLaneEnd() {
      clearInterval(heartbeat);
      if (open) stream.write('\n');
      open = false;
    },
    onScenario(lane, done, of) {
      clearInterval(heartbeat);
      if (stream.isTTY || done === of || done % STEP === 0) {
        write(`replay      ${lane}: ${done} of ${of} scenarios`, done === of);
      }
    },
  };
}
