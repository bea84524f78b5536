import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { type ChatTokenizer, VOCABULARY } from '../../oracle/tokenizer.ts';
import type { ChatRequest } from './request.ts';
import { type Chat, namesIds } from './started.ts';

/** What every log-prob says: the closed form knows which token comes, not how likely the real one was. */
export const SAMPLED = new JsonNumber('-1.5');
/** Where alternatives begin; each further one is a tenth lower. */
export const ALTERNATIVE = -8.2;

/** `choices[].logprobs`, null without `logprobs` or with `top_logprobs: null`. */
export function tokenLogprobs(ids: readonly number[], request: ChatRequest, chat: Chat): Json {
  if (request.logprobs !== true || request.top_logprobs === null) return null;
  const entries = ids.map((_, index) => entryOf(ids, index, request, chat));
  return new Map([['content', entries]]);
}

/** One generated token; `bytes` are those of its text even where `token` is `token_id:N`. */
export function entryOf(ids: readonly number[], index: number, request: ChatRequest, chat: Chat): JsonObject {
  const { tokenizer } = chat.renderer;
  const id = ids[index] ?? 0;
  const text = tokenText(tokenizer, ids, index);
  const asId = namesIds(request, chat);
  const name = asId ? `token_id:${id}` : text;
  const top = Array.from({ length: request.top_logprobs ?? 0 }, (_, rank) => {
    if (rank === 0) return alternative(name, SAMPLED);
    const other = (id + rank) % VOCABULARY;
    const otherName = asId ? `token_id:${other}` : tokenizer.decode([other]);
    return alternative(otherName, new JsonNumber((ALTERNATIVE - rank / 10).toFixed(1)));
  });
  return new Map<string, Json>([
    ['token', name],
    ['logprob', SAMPLED],
    ['bytes', bytesOf(text)],
    ['top_logprobs', top],
  ]);
}

const alternative = (token: string, logprob: JsonNumber): JsonObject =>
  new Map<string, Json>([
    ['token', token],
    ['logprob', logprob],
    ['bytes', bytesOf(token)],
  ]);

const bytesOf = (text: string): Json[] => [...Buffer.from(text)].map((byte) => new JsonNumber(String(byte)));

/** How many generated tokens before one are looked at for the beginning of its character. */
const CONTEXT = 4;

/**
 * Text of one generated token for its log-prob entry: a token that ends inside a character has none, and the token that
 * completes the character has all of it, with what shares a token with its beginning.
 */
export function tokenText(tokenizer: ChatTokenizer, ids: readonly number[], index: number): string {
  const own = tokenizer.decode(ids.slice(index, index + 1));
  if (!own.endsWith('\uFFFD')) return own;
  for (let count = 1; count <= Math.min(CONTEXT, index); count++) {
    const start = index - count;
    const text = tokenizer.decode(ids.slice(start, index + 1));
    if (text.endsWith('\uFFFD')) continue;
    let begin = index;
    while (begin > start && tokenizer.decode(ids.slice(begin - 1, begin)).endsWith('\uFFFD')) begin--;
    return tokenizer.decode(ids.slice(begin, index + 1));
  }
  return '';
}
