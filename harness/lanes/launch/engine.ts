import { randomUUID } from 'node:crypto';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { EXIT, ParityError } from '../../errors.ts';
import type { Environment } from './environment.ts';
import { hintFor } from './hints.ts';
import type { EngineLog } from './log.ts';
import { type Family, MARKER } from './processes.ts';
import { stopFamily } from './stop.ts';
import type { WatchdogWord } from './watchdog.ts';

/** A server that did not start, or that died: no pass and no mismatch. */
export class LaunchError extends ParityError {
  constructor(what: string, hint?: string) {
    super(EXIT.infra, what, hint === undefined ? {} : { hint });
  }
}

export interface EngineOptions {
  command: readonly string[];
  env: Environment;
  cwd: string;
  stop: readonly string[] | undefined;
  log: EngineLog;
}

/** How a process ended, in words. */
export type Ending = string;

/** A started command with everything it starts, and the watchdog that ends them should the harness die. */
export class Engine {
  readonly startedAt = performance.now();
  /** Set once the command has ended by itself. */
  ending: Ending | undefined;
  readonly ended: Promise<Ending>;
  private readonly family: Family;
  private readonly options: EngineOptions;
  private readonly watchdog: ReturnType<typeof startWatchdog>;

  constructor(options: EngineOptions) {
    this.options = options;
    const marker = randomUUID();
    const env = { ...options.env, [MARKER]: marker };
    const { stop } = options;
    this.watchdog = startWatchdog();
    const watch = { marker, leader: undefined, ...(stop ? { stop, env } : {}) };
    this.say({ watch });
    const [program = '', ...args] = options.command;
    const child = execa(program, args, {
      cwd: options.cwd,
      env,
      extendEnv: false,
      stdin: 'ignore',
      buffer: false,
      reject: false,
      // A session of its own: Ctrl-C in the terminal is for the harness, which then stops the lane in order.
      detached: true,
      cleanup: false,
    });
    child.stdout.on('data', (chunk: Buffer) => options.log.add('out', chunk));
    child.stderr.on('data', (chunk: Buffer) => options.log.add('err', chunk));
    this.family = { marker, leader: child.pid };
    this.say({ watch: { ...watch, leader: child.pid } });
    this.ended = child.then(({ exitCode, signal, code, originalMessage }) => {
      this.ending =
        signal !== undefined
          ? `was ended by ${signal}`
          : exitCode !== undefined
            ? `exited with code ${exitCode}`
            : `could not be started: ${code === 'ENOENT' ? 'no such program' : originalMessage}`;
      return this.ending;
    });
  }

  /** The error of a command that ended by itself. */
  failure(ending: Ending, when: string): LaunchError {
    const { command, log } = this.options;
    const after = `${((performance.now() - this.startedAt) / 1000).toFixed(1)} s`;
    const tail = log.tail();
    const lines = tail.slice(-TAIL_SHOWN).map((line) => `  ${line}`);
    const hint = ending.startsWith('could not')
      ? `is ${command[0]} installed, and on the PATH that the lane keeps?`
      : hintFor(tail);
    return new LaunchError(
      `'${command[0]}' ${ending} ${when} (after ${after})`,
      [...(hint ? [hint] : []), ...(lines.length > 0 ? ['last lines of its log:', ...lines] : [])].join(
        '\n  ',
      ),
    );
  }

  /** Ends every process of it; returns those that could not be ended. */
  async stop(): Promise<string[]> {
    const { stop, env } = this.options;
    const survivors = await stopFamily(this.family, { command: stop, env });
    this.say({ done: true });
    this.watchdog.stdin.end();
    return survivors;
  }

  private say(word: WatchdogWord): void {
    this.watchdog.stdin.write(`${JSON.stringify(word)}\n`);
  }
}

const TAIL_SHOWN = 12;

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
