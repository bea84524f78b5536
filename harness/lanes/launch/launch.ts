import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { request } from 'undici';
import type { LaunchedServer, RunLaunch } from '../../schemas/types.ts';
import type { Connection, ConnectOptions } from '../connection.ts';
import type { LoadedLane } from '../load.ts';
import { Engine, tailLines } from './engine.ts';
import { isSecretName } from './environment.ts';
import { LaunchError } from './error.ts';
import { gpuMemory, gpuMemoryBack } from './gpu.ts';
import { Handshake } from './handshake.ts';
import { EngineLog } from './log.ts';
import { nextPhase, type Phase } from './phases.ts';
import { isFree, type Reservation, reservePort } from './port.ts';
import { HIDDEN } from './redaction.ts';
import { type Start, startOf, usesPort } from './start.ts';

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
  const reservation = usesPort(spec) ? await reservePort() : undefined;
  try {
    const start = startOf(loaded, spec, {
      root: options.root,
      caller: process.env,
      modelPath: options.modelPath,
      port: reservation?.port,
      name: `${loaded.lane.name}-${randomBytes(4).toString('hex')}`,
    });
    if (!start.tellsUrl && (await answers(start.url(undefined), options.signal))) {
      throw new LaunchError(
        `something answers at ${start.secrets.hide(start.url(undefined))} already`,
        'stop it, or let the lane use {port}',
      );
    }
    return await startServer(loaded, start, reservation, spec.ready?.within ?? DEFAULT_WITHIN, options);
  } catch (error) {
    reservation?.release();
    throw error;
  }
}

async function startServer(
  { lane: { name } }: LoadedLane,
  start: Start,
  reservation: Reservation | undefined,
  within: string,
  { logs, signal, onPhase }: ConnectOptions,
): Promise<Connection> {
  const memory = await gpuMemory();
  const { secrets } = start;
  const logFile = join(logs, `${name}.log`);
  const record: RunLaunch = {
    command: start.command.map((text) => secrets.hide(text)),
    env: shown(start),
    log: relative(dirname(logs), logFile),
    phases: [{ phase: 'starting', at_ms: 0 }],
  };
  let phase: Phase = 'starting';
  const handshake = new Handshake();
  mkdirSync(logs, { recursive: true });
  const log = new EngineLog(logFile, {
    hide: (line) => secrets.hide(line),
    onLine(line) {
      handshake.look(line);
      const next = nextPhase(line, phase);
      if (next === undefined) return;
      phase = next;
      record.phases.push({ phase, at_ms: Math.round(performance.now() - engine.startedAt) });
      onPhase?.(phase);
    },
  });
  const engine = new Engine(start, log);
  onPhase?.(phase);

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      if (engine.ending !== undefined) record.exit = engine.ending;
      const wrong = await engine.stop();
      if (wrong.length > 0) record.survivors = wrong.map((text) => secrets.hide(text));
      log.close();
      await portBack(reservation);
      await gpuMemoryBack(memory);
    })();
    return closed;
  };
  const late = (): LaunchError => {
    const url = urlNow();
    const listening =
      url === undefined ? 'it has printed no URL' : `its chat route at ${secrets.hide(url)} has not answered`;
    return new LaunchError(
      `not ready within ${within}; ${listening}`,
      ['raise `ready: {within: …}` of the lane, or see why it takes so long', ...tailLines(log.tail())].join(
        '\n  ',
      ),
    );
  };
  const urlNow = (): string | undefined =>
    start.tellsUrl && handshake.url === undefined ? undefined : start.url(handshake.url);
  const deadline = AbortSignal.timeout(milliseconds(within));
  try {
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const url = await untilListening(engine, stop, urlNow);
    if (handshake.values) record.handshake = hidden(handshake.values, start);
    return {
      url,
      apiKey: undefined,
      emulated: false,
      close,
      engine: {
        record,
        deadline,
        late,
        logOffset: () => log.offset,
        hasEnded: () => engine.ending !== undefined,
        failure: async (when) => {
          // The connection breaks a moment before the process is gone.
          await Promise.race([engine.ended, pause(2_000)]);
          return engine.ending === undefined ? undefined : engine.failure(engine.ending, when);
        },
      },
    };
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    const told = deadline.aborted ? late() : error;
    if (told instanceof LaunchError) told.launch = record;
    throw told;
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
    await Promise.race([engine.ended, pause(LOOK_MS)]);
  }
}

/** Whether an HTTP server is there, and not only a gateway before one that is on its way. */
async function answers(url: string, stop?: AbortSignal): Promise<boolean> {
  const patience = AbortSignal.timeout(5_000);
  try {
    const { statusCode, body } = await request(`${url}/v1/models`, {
      signal: stop ? AbortSignal.any([stop, patience]) : patience,
    });
    await body.dump();
    return statusCode < 502 || statusCode > 504;
  } catch {
    return false;
  }
}

/** The environment as a run folder may hold it. */
const shown = ({ env, secrets }: Start): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, isSecretName(name) ? HIDDEN : secrets.hide(value)]),
  );

const hidden = (
  values: NonNullable<Handshake['values']>,
  { secrets }: Start,
): NonNullable<Handshake['values']> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isSecretName(name) ? HIDDEN : typeof value === 'string' ? secrets.hide(value) : value,
    ]),
  );

async function portBack(reservation: Reservation | undefined): Promise<void> {
  const until = performance.now() + PORT_MS;
  while (reservation && performance.now() < until && !(await isFree(reservation.port))) await pause(100);
  reservation?.release();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function milliseconds(duration: string): number {
  const unit = { s: 1_000, m: 60_000, h: 3_600_000 }[duration.at(-1) ?? ''] ?? 1_000;
  return Number.parseInt(duration, 10) * unit;
}
