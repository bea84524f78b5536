import type { Continuation } from '../domain.ts';
import { connect } from '../lanes/connect.ts';
import type { Project } from '../project.ts';
import { ChatClient } from '../replay/client.ts';
import { goldenMessages } from '../replay/golden-messages.ts';
import { probe, type Readiness } from '../replay/probe.ts';
import { type ReplayInput, replay } from '../replay/replay.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { RunLane, Transcript } from '../schemas/types.ts';
import type { PlannedLane, PlannedScenario } from './plan.ts';

export interface PlayOptions {
  project: Project;
  folder: RunFolder;
  continuation: Continuation;
  plant?: string | undefined;
  signal?: AbortSignal;
  onScenario?: ((lane: string, done: number, of: number) => void) | undefined;
}

export interface Played {
  lane: RunLane;
  transcripts: Transcript[];
  launchMs: number;
  replayMs: number;
}

/** Connects one lane, plays its scenarios one after the other, and lets go of it whatever happens. */
export async function playLane(planned: PlannedLane, options: PlayOptions): Promise<Played> {
  const { lane } = planned.loaded;
  const { folder, signal } = options;
  const entry = laneEntry(planned);
  const { template, tokenizer } = planned.oracle;
  const custom = template.source === tokenizer.chatTemplate ? undefined : template.source;
  if (custom !== undefined) folder.writeTemplate(template.hash, custom);
  const transcripts: Transcript[] = [];
  const startedAt = performance.now();
  const connection = await connect(planned.loaded, {
    codebook: options.project.codebook,
    chatTemplate: custom,
    plant: options.plant,
  });
  const client = new ChatClient(connection.url, { apiKey: connection.apiKey });
  let launchedAt = performance.now();
  entry.emulated = connection.emulated;
  entry.url = new URL(connection.url).origin;
  try {
    // Our own server needs no proof; with a planted fault it could not give one.
    const ready = connection.emulated ? READY : await probe(client, planned.dialect, lane, signal);
    launchedAt = performance.now();
    if (ready.state !== 'ready') Object.assign(entry, ready);
    folder.event({ event: 'lane', lane: lane.name, state: ready.state });
    for (const scenario of ready.state === 'ready' ? planned.scenarios : []) {
      signal?.throwIfAborted();
      const transcript = await replay(replayInput(planned, scenario, client, connection.emulated, options));
      transcripts.push(transcript);
      folder.writeTranscript(transcript);
      folder.event({
        event: 'scenario',
        lane: lane.name,
        scenario: transcript.scenario,
        complete: transcript.complete,
      });
      options.onScenario?.(lane.name, transcripts.length, planned.scenarios.length);
      const dead = transcript.turns.find(({ outcome }) => outcome === 'no_answer');
      if (dead) {
        const message = `${transcript.scenario} turn ${dead.turn}: ${dead.error ?? 'no answer'}`;
        Object.assign(entry, { state: 'infra', message });
        break;
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    Object.assign(entry, INTERRUPTED);
  } finally {
    await client.close();
    await connection.close();
    await folder.flush();
  }
  return {
    lane: entry,
    transcripts,
    launchMs: launchedAt - startedAt,
    replayMs: performance.now() - launchedAt,
  };
}

const READY: Readiness = { state: 'ready' };
/** How a lane stands in run.json until it was played: a run that is killed is not whole. */
export const NOT_PLAYED = { state: 'incomplete', message: 'not played to its end' } as const;
/** What an interrupt makes of a lane, played in part or not at all. */
export const INTERRUPTED = { state: 'incomplete', message: 'interrupted' } as const;

/** How a lane stands in run.json before it is played. */
export function laneEntry({ loaded: { lane }, history, oracle, scenarios }: PlannedLane): RunLane {
  return {
    lane: lane.name,
    server: lane.server,
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
  emulated: boolean,
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
  if (continuation === 'golden' && golden) input.goldenMessages = goldenMessages(golden, lane, history);
  return input;
}
