import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { request } from 'undici';
import { InvalidError } from '../../errors.ts';
import type { LaunchedServer, RunLaunch } from '../../schemas/types.ts';
import type { Connection, ConnectOptions } from '../connection.ts';
import type { LoadedLane } from '../load.ts';
import { Engine, LaunchError } from './engine.ts';
import { engineEnvironment, shownEnvironment } from './environment.ts';
import { gpuMemory, gpuMemoryBack } from './gpu.ts';
import { Handshake } from './handshake.ts';
import { EngineLog } from './log.ts';
import { fillNames, type Names } from './names.ts';
import { nextPhase, type Phase } from './phases.ts';
import { isFree, type Reservation, reservePort } from './port.ts';

const HOST = '127.0.0.1';
const DEFAULT_URL = 'http://{host}:{port}';
const DEFAULT_WITHIN = '10m';
/** Between two looks whether the server listens, in milliseconds. */
const LOOK_MS = 200;
/** A port is given back within this time of the stop, in milliseconds. */
const PORT_MS = 5_000;

/**
 * Starts a lane's server and waits until it answers HTTP. Throws {@link LaunchError} (exit 3) when it does not come up, with
 * its log's end and what to do; whatever was started is stopped first.
 */
export async function launch(
  loaded: LoadedLane,
  spec: LaunchedServer,
  options: ConnectOptions,
): Promise<Connection> {
  const { signal } = options;
  const reservation = usesPort(spec) ? await reservePort() : undefined;
  const memory = await gpuMemory();
  const names = namesOf(loaded, options, reservation);
  const fill = (text: string): string => fillNames(text, names, loaded.file);
  const command = spec.command.map(fill);
  const own = Object.fromEntries(Object.entries(spec.env ?? {}).map(([name, value]) => [name, fill(value)]));
  const env = engineEnvironment(process.env, spec.keep_env ?? [], own);
  const logFile = join(options.logs, `${loaded.lane.name}.log`);
  const record: RunLaunch = {
    command,
    env: shownEnvironment(env),
    log: relative(dirname(options.logs), logFile),
    phases: [{ phase: 'starting', at_ms: 0 }],
  };

  let phase: Phase = 'starting';
  const handshake = new Handshake();
  mkdirSync(options.logs, { recursive: true });
  const log = new EngineLog(logFile, (line) => {
    handshake.look(line);
    const next = nextPhase(line, phase);
    if (next) setPhase(next);
  });
  const engine = new Engine({ command, env, cwd: options.root, stop: spec.stop?.map(fill), log });
  const setPhase = (next: Phase): void => {
    phase = next;
    record.phases.push({ phase: next, at_ms: Math.round(performance.now() - engine.startedAt) });
    options.onPhase?.(next);
  };
  options.onPhase?.(phase);

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      if (engine.ending !== undefined) record.exit = engine.ending;
      const survivors = await engine.stop();
      if (survivors.length > 0) record.survivors = survivors;
      log.close();
      await portBack(reservation);
      await gpuMemoryBack(memory);
    })();
    return closed;
  };
  const within = spec.ready?.within ?? DEFAULT_WITHIN;
  const deadline = AbortSignal.timeout(milliseconds(within));
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    const template = spec.url ?? DEFAULT_URL;
    const url = await untilListening(engine, stop, () =>
      template.includes('{handshake.url}') && handshake.url === undefined
        ? undefined
        : fillNames(template, { ...names, 'handshake.url': handshake.url }, loaded.file),
    );
    if (handshake.values) record.handshake = handshake.values;
    return {
      url: url.replace(/\/$/, ''),
      apiKey: undefined,
      emulated: false,
      close,
      engine: {
        record,
        deadline,
        logOffset: () => log.offset,
        // The connection breaks a moment before the process is gone.
        failure: async (when) => {
          await Promise.race([engine.ended, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
          return engine.ending === undefined ? undefined : engine.failure(engine.ending, when);
        },
        late: () => late(within, log),
      },
    };
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    if (deadline.aborted) throw late(within, log);
    throw error;
  }
}

/** Waits until something answers at the server's URL, as long as its process lives. */
async function untilListening(
  engine: Engine,
  stop: AbortSignal,
  urlOf: () => string | undefined,
): Promise<string> {
  for (;;) {
    stop.throwIfAborted();
    if (engine.ending !== undefined) throw engine.failure(engine.ending, 'before it was ready');
    const url = urlOf();
    if (url !== undefined && (await answers(url, stop)) && engine.ending === undefined) return url;
    await Promise.race([engine.ended, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
  }
}

/** Whether an HTTP server is there and not only on its way (503). */
async function answers(url: string, stop: AbortSignal): Promise<boolean> {
  try {
    const { statusCode, body } = await request(new URL('/v1/models', url), {
      signal: AbortSignal.any([stop, AbortSignal.timeout(5_000)]),
    });
    await body.dump();
    return statusCode !== 503;
  } catch {
    return false;
  }
}

const late = (within: string, log: EngineLog): LaunchError =>
  new LaunchError(
    `not ready within ${within}`,
    [
      'raise `ready: {within: …}` of the lane, or see why it takes so long',
      'last lines of its log:',
      ...log.tail(12).map((line) => `  ${line}`),
    ].join('\n  '),
  );

const usesPort = ({ command, env = {}, url = DEFAULT_URL }: LaunchedServer): boolean =>
  [...command, ...Object.values(env), url].some((text) => text.includes('{port}'));

function namesOf(
  { lane, file }: LoadedLane,
  { modelPath, root }: ConnectOptions,
  reservation?: Reservation,
): Names {
  if (modelPath === undefined && lane.model.path !== undefined) {
    throw new InvalidError('the model folder is not known', { where: file });
  }
  return {
    host: HOST,
    name: lane.name,
    port: reservation && String(reservation.port),
    'model.path': modelPath,
    'model.served_as': lane.model.served_as ?? lane.model.name,
    'model.dtype': lane.model.dtype ?? 'bfloat16',
    chat_template: lane.chat_template && resolve(root, lane.chat_template),
    'handshake.url': undefined,
  };
}

async function portBack(reservation: Reservation | undefined): Promise<void> {
  const until = performance.now() + PORT_MS;
  while (reservation && performance.now() < until && !(await isFree(reservation.port))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  reservation?.release();
}

function milliseconds(duration: string): number {
  const unit = { s: 1_000, m: 60_000, h: 3_600_000 }[duration.at(-1) ?? ''] ?? 1_000;
  return Number.parseInt(duration, 10) * unit;
}
