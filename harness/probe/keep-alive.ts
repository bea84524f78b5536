import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatClient } from '../replay/client.ts';
import { type Fact, measured, unknown } from './fact.ts';

/** How long the connection idles between two questions. */
const IDLE_MS = 500;

/** Asks twice on a client of its own and sees whether one connection was enough. */
export async function keepAliveFact(client: ChatClient, path: string, signal: AbortSignal): Promise<Fact> {
  const first = await client.get(path, signal);
  await sleep(IDLE_MS, undefined, { signal });
  const second = await client.get(path, signal);
  if (first.kind === 'no_answer' || second.kind === 'no_answer') {
    const reason =
      first.kind === 'no_answer' ? first.reason : second.kind === 'no_answer' ? second.reason : '';
    return unknown('keep-alive', `no answer: ${reason}`);
  }
  const hint = first.headers['keep-alive'];
  const kept = client.connections === 1;
  return measured(
    'keep-alive',
    kept ? `the connection survives ${IDLE_MS} ms of idling` : 'a new connection for every request',
    ...(hint === undefined ? [] : [`the server says: ${String(hint)}`]),
  );
}
