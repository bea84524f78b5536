import type { Lane, Transcript } from './schemas/types.ts';

/** Server kind: how one chat server spells requests and answers. */
export type DialectName = Lane['server'];
/** The server kind whose messages a golden holds for these answers: on a token lane the one that the oracle stands in for. */
export const projectionOf = ({
  server,
  projection,
}: Pick<Transcript, 'server' | 'projection'>): DialectName => projection ?? server;
/** How a next prompt is made: from carried ids, or from the messages alone. */
export type History = Transcript['history'];
/** Whose earlier answers a turn builds on. */
export type Continuation = Transcript['continuation'];

/**
 * What is asserted of every turn, in the order in which a fault shows itself: a later field often only follows from an
 * earlier one.
 */
export const FIELDS = [
  'http_status',
  'prompt_token_ids',
  'generation_token_ids',
  'reasoning',
  'tool_calls',
  'content',
  'finish_reason',
  'usage',
  'logprobs',
  // Invariants: no golden needed.
  'contiguity',
  'messages',
  'conservation',
  'expect',
  // Two lanes that are compared with each other use the same template, tokenizer and model.
  'environment',
  // Bookkeeping: what a run rests on must be listed, and must still occur.
  'differences',
  'waivers',
] as const;

/** What a lane is compared with. */
export type Against = 'goldens' | 'each-other';

export type Field = (typeof FIELDS)[number];
