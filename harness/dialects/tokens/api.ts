import type { Json, JsonObject } from '../../json/value.ts';
import type { Alternative, Usage } from '../../schemas/types.ts';
import type { Reading, TurnRequest } from '../dialect.ts';
import { idList, jsonAnswer, unreadable } from '../read-chat.ts';

/** What one turn asks of a server that knows nothing but ids. */
export interface TokenTurn extends Pick<TurnRequest, 'model' | 'maxTokens' | 'topLogprobs'> {
  prompt: readonly number[];
}

/** What such a server answers by itself. A key that is absent stays absent. */
export type TokenFields = Pick<
  Reading,
  'prompt_token_ids' | 'generation_token_ids' | 'logprobs' | 'top_logprobs' | 'engine_finish_reason' | 'usage'
>;

/** How one route that takes ids is asked and read. */
export interface TokenApi {
  /** Path below the base URL. */
  path: string;
  /** Body of a greedy request with log-probs, keys in a fixed order. */
  request(turn: TokenTurn): JsonObject;
  /** Reads the body of a 200; a text says why it cannot be read. */
  read(body: Json): TokenFields | string;
}

export type TokenAnswer = { ok: true; fields: TokenFields } | { ok: false; reading: Reading };

/** Reads an answer of any status. */
export function tokenAnswer(api: TokenApi, status: number, text: string): TokenAnswer {
  const answer = jsonAnswer(status, text);
  if (!answer.ok) return answer;
  const fields = api.read(answer.body);
  return typeof fields === 'string' ? unreadable(fields) : { ok: true, fields };
}

/** The generated token at one place, as its log-prob entry has it. */
export interface Sampled {
  /** Undefined where the entry does not name an id. */
  id: number | undefined;
  logprob: number | null;
  alternatives: Alternative[];
}

/** What an answer holds, where its server puts it; undefined for what is not there. */
export interface Found {
  prompt?: Json | undefined;
  ids: Json | undefined;
  sampled: readonly Sampled[] | undefined;
  finish: Json | undefined;
  usage: Usage | undefined;
}

/**
 * The fields of an answer; what is of another type than it must be counts as absent. Where a log-prob entry and the ids both name
 * an id, it must be the same: an answer that says two things is not read as either, and a text says where.
 */
export function tokenFields(found: Found): TokenFields | string {
  const fields: TokenFields = {};
  const prompt = idList(found.prompt);
  const ids = idList(found.ids);
  if (prompt) fields.prompt_token_ids = prompt;
  if (ids) fields.generation_token_ids = ids;
  const { sampled, finish, usage } = found;
  if (sampled) {
    const odd = sampled.findIndex(({ id }, index) => (id ?? ids?.[index]) !== (ids?.[index] ?? id));
    if (odd !== -1)
      return `log-prob ${odd} is of id ${sampled[odd]?.id}, the generated id there is ${ids?.[odd]}`;
    fields.logprobs = sampled.map(({ logprob }) => logprob);
    // A row of one is the generated token itself.
    if (sampled.some(({ alternatives }) => alternatives.length > 1)) {
      fields.top_logprobs = sampled.map(({ alternatives }) => alternatives);
    }
  }
  if (finish === null || typeof finish === 'string') fields.engine_finish_reason = finish;
  if (usage) fields.usage = usage;
  return fields;
}
