import type { Json, JsonObject } from '../../json/value.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import { float } from '../values.ts';

/** What a token's log-prob says. Invented, as the recorded stand-in's are: the closed form knows the token, not its odds. */
export const logprobOf = (id: number): number => -((id % 97) + 1) / 1024;

/** `choices[0].logprobs`: every token decoded by itself, so that half a character is U+FFFD. */
export const tokenLogprobs = (ids: readonly number[], tokenizer: ChatTokenizer): JsonObject =>
  new Map([['content', ids.map((id) => entryOf(id, tokenizer))]]);

const entryOf = (id: number, tokenizer: ChatTokenizer): JsonObject =>
  new Map<string, Json>([
    ['token', tokenizer.decode([id])],
    ['logprob', float(logprobOf(id))],
    ['bytes', null],
    ['top_logprobs', []],
  ]);
