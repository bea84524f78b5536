import { setTimeout } from 'node:timers/promises';
import { unfoldCore } from '../goldens/codec.ts';
import type { Connection } from '../lanes/connection.ts';
import type { ChatClient } from '../replay/client.ts';
import { checkEngine, checkScript, engineOf } from '../replay/identity.ts';
import { probe, type Readiness } from '../replay/probe.ts';
import type { RunLane, Transcript } from '../schemas/types.ts';
import type { PlannedLane } from './plan.ts';

/** Between two questions whether a started server is ready, in milliseconds. */
const RETRY_MS = 500;

/** A real answer of one token, then whether the server is the one that the lane means. */
export async function readiness(
  { loaded: { lane }, dialect, scenarios }: PlannedLane,
  { engine }: Connection,
  client: ChatClient,
  entry: RunLane,
  signal: AbortSignal | undefined,
): Promise<Readiness> {
  const bounded = engine ? AbortSignal.any([engine.deadline, ...(signal ? [signal] : [])]) : signal;
  try {
    let answered = await probe(client, dialect, lane, bounded);
    // A started server may listen before its engine answers.
    while (engine && answered.state !== 'ready' && answered.early && !engine.hasEnded()) {
      await setTimeout(RETRY_MS, undefined, bounded ? { signal: bounded } : {});
      answered = await probe(client, dialect, lane, bounded);
    }
    if (answered.state !== 'ready') {
      const failure = engine?.hasEnded() ? await engine.failure('before it was ready') : undefined;
      return failure ? { state: 'infra', message: failure.message } : answered;
    }
    entry.emulated = answered.emulated === true;
    entry.engine = await engineOf(client, lane, bounded);
    const meant = checkEngine(entry.engine, lane);
    const [first] = scenarios;
    if (meant.state !== 'ready' || !lane.model.teleprompter || !first?.golden) return meant;
    const [core] = unfoldCore(first.golden);
    return core ? await checkScript(client, dialect, lane, { ...first, core }, bounded) : meant;
  } catch (error) {
    if (engine?.deadline.aborted && !signal?.aborted) throw engine.late();
    throw error;
  }
}

/**
 * An error status from a live server is a result; from one that cannot answer any more it is infrastructure, and the turn was
 * not answered.
 */
export async function unlessDead(
  transcript: Transcript,
  { loaded: { lane }, dialect }: PlannedLane,
  { emulated }: Connection,
  client: ChatClient,
  signal: AbortSignal | undefined,
): Promise<Transcript> {
  const last = transcript.turns.at(-1);
  if (emulated || last?.outcome !== 'refused' || (last.http_status ?? 0) < 500) return transcript;
  const since = await probe(client, dialect, lane, signal);
  if (since.state === 'ready') return transcript;
  const error = `status ${last.http_status}, and since then: ${since.message}`;
  const { http_status: _, ...rest } = last;
  return {
    ...transcript,
    turns: [...transcript.turns.slice(0, -1), { ...rest, outcome: 'no_answer', error }],
  };
}
