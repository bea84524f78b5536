import { randomUUID } from 'node:crypto';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { LaunchError } from './error.ts';
import { hintFor } from './hints.ts';
import type { EngineLog } from './log.ts';
import { type Family, MARKER } from './processes.ts';
import type { Start } from './start.ts';
import { type StopOptions, stopFamily } from './stop.ts';
import type { WatchdogWord } from './watchdog.ts';

/** How a process ended, in words. */
export type Ending = string;

/** A started command with everything it starts, and the watchdog that ends them should the harness die. */
export class Engine {
  readonly startedAt = performance.now();
  /** Set once the command has ended by itself. */
  ending: Ending | undefined;
  readonly ended: Promise<Ending>;
  private readonly family: Family;
  private readonly start: Start;
  private readonly log: EngineLog;
  private readonly watchdog: ReturnType<typeof startWatchdog>;

  constructor(start: Start, log: EngineLog) {
    this.start = start;
    this.log = log;
    const marker = randomUUID();
    this.watchdog = startWatchdog();
    this.say({ watch: { family: { marker, leader: undefined }, stop: this.stopOptions() } });
    const [program = '', ...args] = start.command;
    const child = execa(program, args, {
      cwd: start.cwd,
      env: { ...start.env, [MARKER]: marker },
      extendEnv: false,
      stdin: 'ignore',
      buffer: false,
      reject: false,
      // A session of its own: Ctrl-C in the terminal is for the harness, which then stops the lane in order.
      detached: true,
      cleanup: false,
    });
    child.stdout.on('data', (chunk: Buffer) => log.add('out', chunk));
    child.stderr.on('data', (chunk: Buffer) => log.add('err', chunk));
    this.family = { marker, leader: child.pid };
    this.say({ watch: { family: this.family, stop: this.stopOptions() } });
    // Not the end of its output: a child that outlives it may hold the pipe.
    this.ended = new Promise((resolve) => {
      const end = (ending: Ending): void => {
        this.ending ??= ending;
        resolve(this.ending);
      };
      const { nodeChildProcess: node } = child;
      node.once('exit', (code, signal) =>
        end(signal ? `was ended by ${signal}` : `exited with code ${code}`),
      );
      node.once('error', (error: NodeJS.ErrnoException) =>
        end(`could not be started: ${error.code === 'ENOENT' ? 'no such program' : error.message}`),
      );
    });
  }

  /** The error of a command that ended by itself. */
  failure(ending: Ending, when: string): LaunchError {
    const [program = ''] = this.start.command;
    const after = `${((performance.now() - this.startedAt) / 1000).toFixed(1)} s`;
    const tail = this.log.tail();
    const hint = ending.startsWith('could not')
      ? `is ${program} installed, and on the PATH that the lane keeps?`
      : hintFor(tail);
    return new LaunchError(
      this.start.secrets.hide(`'${program}' ${ending} ${when} (after ${after})`),
      [...(hint ? [hint] : []), ...tailLines(tail)].join('\n  '),
    );
  }

  /** Ends every process of it; returns what is wrong afterwards, such as one that could not be ended. */
  async stop(): Promise<string[]> {
    const wrong = await stopFamily(this.family, this.stopOptions());
    this.say({ done: true });
    this.watchdog.stdin.end();
    return wrong;
  }

  private stopOptions(): StopOptions {
    const { stop, env, cwd } = this.start;
    return { command: stop, env, cwd };
  }

  private say(word: WatchdogWord): void {
    this.watchdog.stdin.write(`${JSON.stringify(word)}\n`);
  }
}

const TAIL_SHOWN = 12;

/** The end of a log as lines of a message. */
export const tailLines = (tail: readonly string[]): string[] =>
  tail.length === 0 ? [] : ['last lines of its log:', ...tail.slice(-TAIL_SHOWN).map((line) => `  ${line}`)];

function startWatchdog() {
  const here = fileURLToPath(import.meta.url);
  const script = `${dirname(here)}/watchdog${extname(here)}`;
  const child = execa(process.execPath, [script], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    detached: true,
    cleanup: false,
  });
  // Should it be gone before its last word, there is nobody to tell.
  child.stdin.on('error', () => {});
  return child;
}
