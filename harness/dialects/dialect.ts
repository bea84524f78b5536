import type { DialectName, History } from '../domain.ts';
import type { Json, JsonObject } from '../json/value.ts';
import type { TranscriptTurn } from '../schemas/types.ts';

/** What one turn asks, before a dialect spells it. */
export interface TurnRequest {
  model: string;
  messages: readonly JsonObject[];
  tools: Json[] | undefined;
  /** Sent as `enable_thinking`; not sent when undefined. */
  thinking: boolean | undefined;
  maxTokens: number;
  topLogprobs: number;
}

/** The parts of a transcript's turn that are read off the answer. */
export type Reading = Pick<TranscriptTurn, 'outcome'> &
  Partial<Omit<TranscriptTurn, 'turn' | 'exchange' | 'timings'>>;

/** An answer as read; `message` is there when there is one to send back. */
export interface Answer {
  reading: Reading;
  message?: JsonObject;
}

/** The body that asks one turn, and how the answer to it is read. */
export interface Question {
  body: JsonObject;
  /** Never throws: what cannot be read is an outcome. */
  read(status: number, body: string): Answer;
}

/** How one server kind is asked and read. */
export interface Dialect {
  name: DialectName;
  /** Whose messages a golden holds for these answers: its own, or those of the kind that the oracle stands in for. */
  projection: DialectName;
  /** How a next prompt can be made; sending ids to a chat server is the client's choice only where they are read. */
  histories: readonly History[];
  /** Path of the route below the base URL. */
  path: string;
  /** What a turn sends; a text says why it cannot be asked. */
  ask(turn: TurnRequest): Question | string;
  /** The assistant message to send back as history, made of the message received. */
  echo(message: JsonObject, history: History): JsonObject;
}

/** A server that renders and parses by itself. */
export interface ChatDialect extends Dialect {
  /** Body of a request, keys in a fixed order. Greedy decoding is spelled out as this server accepts it. */
  request(turn: TurnRequest): JsonObject;
  read(status: number, body: string): Answer;
}

/** A chat dialect of its own parts: its answers are read alike, whatever was asked. */
export const chatDialect = (own: Omit<ChatDialect, 'projection' | 'ask'>): ChatDialect => ({
  ...own,
  projection: own.name,
  ask: (turn) => ({ body: own.request(turn), read: own.read }),
});
