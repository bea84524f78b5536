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

/** How one server kind is asked and read. */
export interface Dialect {
  name: DialectName;
  /** How this server can make a next prompt; sending ids is the client's choice only where they are read. */
  histories: readonly History[];
  /** Path of the chat route below the base URL. */
  path: string;
  /** Body of a request, keys in a fixed order. Greedy decoding is spelled out as this server accepts it. */
  request(turn: TurnRequest): JsonObject;
  /** Reads an answer; never throws: what cannot be read is an outcome. */
  read(status: number, body: string): Answer;
  /** The assistant message to send back as history, made of the message received. */
  echo(message: JsonObject, history: History): JsonObject;
}
