import type { Continuation } from '../domain.ts';
import { EXIT, ParityError } from '../errors.ts';
import { connect } from '../lanes/connect.ts';
import type { Connection } from '../lanes/connection.ts';
import { LaunchError } from '../lanes/launch/error.ts';
import { modelFolder } from '../lanes/model.ts';
import type { Project } from '../project.ts';
import { ChatClient } from '../replay/client.ts';
import { goldenMessages } from '../replay/golden-messages.ts';
import type { Readiness } from '../replay/probe.ts';
import { projectionEntry, type ReplayInput, replay } from '../replay/replay.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { RunLane, Transcript } from '../schemas/types.ts';
import type { PlannedLane, PlannedScenario } from './plan.ts';
import { readiness, unlessDead } from './ready.ts';

export interface PlayOptions {
  project: Project;
  folder: RunFolder;
  continuation: Continuation;
  plant?: string | undefined;
  signal?: AbortSignal;
  onScenario?: ((lane: string, done: number, of: number) => void) | undefined;
  /** Told when a server that is being started reaches its next phase. */
  onPhase?: ((lane: string, phase: string) => void) | undefined;
  /** Called when everything is played and the server still runs. */
  /** Told when the lane's server is gone. */
  onLaneEnd?: (() => void) | undefined;
  beforeClose?: ((lane: RunLane, client: ChatClient) => Promise<void>) | undefined;
}

export interface Played {
  lane: RunLane;
  transcripts: Transcript[];
  timings: PlayTimings;
}

/** Milliseconds. */
export interface PlayTimings {
  launch: number;
  /** Until a started server answered, and until it was gone. */
  wait: number;
  replay: number;
  /** Part of the replay: until the last byte of every answer. */
  request: number;
}

/** Connects one lane, plays its scenarios one after the other, and lets go of it whatever happens. */
export async function playLane(planned: PlannedLane, options: PlayOptions): Promise<Played> {
  const { folder, signal } = options;
  const entry = laneEntry(planned);
  const transcripts: Transcript[] = [];
  const startedAt = performance.now();
  let launchedAt: number | undefined;
  let connectedAt: number | undefined;
  let closingAt = startedAt;
  let closedAt = startedAt;
  let connection: Connection | undefined;
  let client: ChatClient | undefined;
  try {
    connection = await connectLane(planned, options);
    connectedAt = performance.now();
    client = new ChatClient(connection.url, { apiKey: connection.apiKey });
    entry.emulated = connection.emulated;
    entry.url = new URL(connection.url).origin;
    // Our own server needs no proof; with a planted fault it could not give one.
    const ready = connection.emulated ? READY : await readiness(planned, connection, client, entry, signal);
    launchedAt = performance.now();
    if (ready.state !== 'ready') Object.assign(entry, { state: ready.state, message: ready.message });
    folder.event({ event: 'lane', lane: entry.lane, state: ready.state });
    for (const scenario of ready.state === 'ready' ? planned.scenarios : []) {
      signal?.throwIfAborted();
      const played = await replay(
        replayInput(planned, scenario, client, { ...connection, emulated: entry.emulated }, options),
      );
      const transcript = await unlessDead(played, planned, connection, client, signal);
      transcripts.push(transcript);
      folder.writeTranscript(transcript);
      folder.event({
        event: 'scenario',
        lane: entry.lane,
        scenario: transcript.scenario,
        complete: transcript.complete,
      });
      options.onScenario?.(entry.lane, transcripts.length, planned.scenarios.length);
      const dead = transcript.turns.find(({ outcome }) => outcome === 'no_answer');
      if (!dead) continue;
      const at = `${transcript.scenario} turn ${dead.turn}`;
      const failure = await connection.engine?.failure(`at ${at}`);
      Object.assign(entry, {
        state: 'infra',
        message: failure?.message ?? `${at}: ${dead.error ?? 'no answer'}`,
      });
      break;
    }
    // Whoever has answered after that was another server.
    const gone = connection.engine?.hasEnded()
      ? await connection.engine.failure('while it was played')
      : undefined;
    if (gone && entry.state === 'ready') Object.assign(entry, { state: 'infra', message: gone.message });
    if (entry.state === 'ready') await options.beforeClose?.(entry, client);
  } catch (error) {
    if (signal?.aborted) Object.assign(entry, INTERRUPTED);
    else if (isInfra(error)) {
      Object.assign(entry, { state: 'infra', message: error.message });
      if (error instanceof LaunchError && error.launch) entry.launch = error.launch;
    } else throw error;
  } finally {
    await client?.close();
    closingAt = performance.now();
    await connection?.close();
    closedAt = performance.now();
    options.onLaneEnd?.();
    await folder.flush();
  }
  const record = connection?.engine?.record;
  if (record) entry.launch = record;
  if (entry.launch?.survivors) {
    const left = `left after every stop: ${entry.launch.survivors.join('; ')}`;
    Object.assign(entry, { state: 'infra', message: entry.message ? `${entry.message}\n${left}` : left });
  }
  const started = planned.loaded.lane.launch !== undefined;
  const wait = started ? (connectedAt ?? closingAt) - startedAt + (closedAt - closingAt) : 0;
  return {
    lane: entry,
    transcripts,
    timings: {
      launch: (launchedAt ?? closingAt) - (started ? (connectedAt ?? closingAt) : startedAt),
      wait,
      replay: launchedAt === undefined ? 0 : closingAt - launchedAt,
      request: transcripts
        .flatMap(({ turns }) => turns)
        .reduce((sum, { timings }) => sum + timings.total_ms, 0),
    },
  };
}

const READY: Readiness = { state: 'ready' };
/** How a lane stands in run.json until it was played: a run that is killed is not whole. */
export const NOT_PLAYED = { state: 'incomplete', message: 'not played to its end' } as const;
/** What an interrupt makes of a lane, played in part or not at all. */
export const INTERRUPTED = { state: 'incomplete', message: 'interrupted' } as const;

const isInfra = (error: unknown): error is ParityError =>
  error instanceof ParityError && error.exitCode === EXIT.infra;

async function connectLane({ loaded, oracle }: PlannedLane, options: PlayOptions): Promise<Connection> {
  const { folder, project, signal, onPhase } = options;
  const { template, tokenizer } = oracle;
  const custom = template.source === tokenizer.chatTemplate ? undefined : template.source;
  if (custom !== undefined) folder.writeTemplate(template.hash, custom);
  return connect(loaded, {
    root: project.root,
    codebook: project.codebook,
    chatTemplate: custom,
    plant: options.plant,
    logs: folder.logs,
    modelPath: await modelFolder(loaded, project),
    onPhase: onPhase && ((phase) => onPhase(loaded.lane.name, phase)),
    signal,
  });
}

/** How a lane stands in run.json before it is played. */
export function laneEntry({ loaded: { lane }, dialect, history, oracle, scenarios }: PlannedLane): RunLane {
  return {
    lane: lane.name,
    server: lane.server,
    ...(lane.tokens ? { api: lane.tokens.api } : {}),
    ...projectionEntry(dialect),
    model: lane.model.name,
    history,
    eos: lane.eos,
    emulated: lane.embedded !== undefined,
    tokenizer: oracle.tokenizer.hash,
    template: oracle.template.hash,
    state: 'ready',
    scenarios: scenarios.map(({ scenario }) => scenario.name),
  };
}

function replayInput(
  { loaded: { lane }, dialect, history }: PlannedLane,
  { scenario, texts, golden }: PlannedScenario,
  client: ChatClient,
  { emulated, engine }: Connection,
  { folder, continuation, signal }: PlayOptions,
): ReplayInput {
  const input: ReplayInput = {
    lane,
    emulated,
    dialect,
    client,
    scenario,
    texts,
    history,
    continuation,
    folder,
  };
  if (signal) input.signal = signal;
  if (engine) input.logOffset = engine.logOffset;
  if (continuation === 'golden' && golden) {
    input.goldenMessages = goldenMessages(golden, dialect.projection, lane, history);
  }
  return input;
}
