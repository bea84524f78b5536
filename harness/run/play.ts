import type { Continuation } from '../domain.ts';
import { connect } from '../lanes/connect.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Project } from '../project.ts';
import { ChatClient } from '../replay/client.ts';
import { goldenMessages } from '../replay/golden-messages.ts';
import { probe } from '../replay/probe.ts';
import { replay } from '../replay/replay.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { RunLane, Transcript } from '../schemas/types.ts';
import type { PlannedLane } from './plan.ts';

export interface PlayOptions {
  project: Project;
  oracle: Oracle;
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
  const startedAt = performance.now();
  const connection = await connect(planned.loaded, {
    codebook: options.project.codebook,
    plant: options.plant,
  });
  const entry: RunLane = {
    lane: lane.name,
    server: lane.server,
    model: lane.model.name,
    history: planned.history,
    eos: lane.eos,
    emulated: connection.emulated,
    tokenizer: options.oracle.tokenizer.hash,
    template: options.oracle.template.hash,
    url: new URL(connection.url).origin,
    state: 'ready',
  };
  const client = new ChatClient(connection.url, { apiKey: connection.apiKey });
  const transcripts: Transcript[] = [];
  let launchedAt = performance.now();
  try {
    // Our own server needs no proof; with a planted fault it could not give one.
    const ready = connection.emulated
      ? { state: 'ready' as const }
      : await probe(client, planned.dialect, lane);
    launchedAt = performance.now();
    entry.state = ready.state;
    if (ready.state !== 'ready') entry.message = ready.message;
    folder.event({ event: 'lane', lane: lane.name, state: ready.state });
    for (const { scenario, texts, golden } of ready.state === 'ready' ? planned.scenarios : []) {
      signal?.throwIfAborted();
      const transcript = await replay({
        lane,
        emulated: connection.emulated,
        dialect: planned.dialect,
        client,
        scenario,
        texts,
        history: planned.history,
        continuation: options.continuation,
        folder,
        ...(signal ? { signal } : {}),
        ...(options.continuation === 'golden' && golden
          ? { goldenMessages: goldenMessages(golden, lane, planned.history) }
          : {}),
      });
      transcripts.push(transcript);
      folder.writeTranscript(transcript);
      folder.event({
        event: 'scenario',
        lane: lane.name,
        scenario: scenario.name,
        complete: transcript.complete,
      });
      options.onScenario?.(lane.name, transcripts.length, planned.scenarios.length);
      const dead = transcript.turns.find(({ outcome }) => outcome === 'no_answer');
      if (dead) {
        entry.state = 'infra';
        entry.message = `${scenario.name} turn ${dead.turn}: ${dead.error ?? 'no answer'}`;
        break;
      }
    }
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
