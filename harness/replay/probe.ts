import type { Dialect } from '../dialects/dialect.ts';
import { EMULATION } from '../embedded/kinds.ts';
import { printJson } from '../json/print.ts';
import type { Lane } from '../schemas/types.ts';
import type { ChatClient } from './client.ts';

/** Whether a server can be asked: ready, not there, or there without what its lane promises. */
export type Readiness =
  | { state: 'ready'; emulated?: boolean }
  /** `early`: it may only not be there yet. */
  | { state: 'infra' | 'incomplete'; message: string; early?: boolean };

/** Asks for one token: the only readiness that proves that a chat server serves. */
export async function probe(
  client: ChatClient,
  dialect: Dialect,
  lane: Lane,
  signal?: AbortSignal,
): Promise<Readiness> {
  const question = dialect.ask({
    model: lane.model.served_as ?? lane.model.name,
    messages: [
      new Map([
        ['role', 'user'],
        ['content', 'Hello'],
      ]),
    ],
    tools: undefined,
    thinking: undefined,
    maxTokens: 1,
    topLogprobs: 0,
  });
  if (typeof question === 'string') return { state: 'incomplete', message: question };
  const answer = await client.post(dialect.path, Buffer.from(printJson(question.body)), signal);
  if (answer.kind === 'no_answer') {
    return { state: 'infra', message: `${client.shownUrl} cannot be reached: ${answer.reason}`, early: true };
  }
  const { reading } = question.read(answer.status, answer.body.toString());
  if (reading.outcome !== 'answered') {
    return {
      state: 'incomplete',
      message: `the readiness probe got status ${answer.status}: ${reading.error ?? ''}`,
      early: answer.status >= 500,
    };
  }
  const missing = (['prompt_token_ids', 'generation_token_ids'] as const).filter((field) => !reading[field]);
  if (missing.length > 0) {
    return { state: 'incomplete', message: `the readiness probe's answer lacks ${missing.join(' and ')}` };
  }
  return { state: 'ready', emulated: isEmulation(answer.headers.server) };
}

/** Our own emulations say what they are, also to a lane that attaches to one. */
const isEmulation = (server: string | string[] | undefined): boolean =>
  typeof server === 'string' && server.startsWith(EMULATION);
