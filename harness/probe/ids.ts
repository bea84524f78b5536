import { idList } from '../dialects/read-chat.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import type { Fact } from './fact.ts';
import { measured } from './fact.ts';
import { type Heard, objectOf } from './heard.ts';

/** The parts of a chat completion that token ids may lie on. */
export interface Parts {
  body: JsonObject;
  choice: JsonObject;
  message: JsonObject;
}

/** Body, first choice and its message; undefined where there is no such answer. */
export function partsOf(heard: Heard): Parts | undefined {
  const body = objectOf(heard);
  const choices = body?.get('choices');
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice.get('message') : undefined;
  return body && isObject(choice) && isObject(message) ? { body, choice, message } : undefined;
}

/** Where ids may be, and under which name: NeMo-RL, vLLM, SGLang. */
const PLACES = [
  ['message', 'prompt_token_ids'],
  ['message', 'generation_token_ids'],
  ['choice', 'prompt_token_ids'],
  ['choice', 'token_ids'],
  ['body', 'prompt_token_ids'],
] as const;

/** Places of an answer that hold lists of ids, as `message.prompt_token_ids`. */
export function idPlaces(parts: Parts | undefined): string[] {
  if (!parts) return [];
  return PLACES.filter(([part, key]) => idList(parts[part].get(key))).map(([part, key]) => `${part}.${key}`);
}

/** Prompt and generation ids wherever they lie. */
export function idsOf(parts: Parts): { prompt: number[] | undefined; generation: number[] | undefined } {
  const { body, choice, message } = parts;
  const first = (...values: Parameters<typeof idList>[0][]): number[] | undefined =>
    values.map(idList).find((ids) => ids !== undefined);
  return {
    prompt: first(
      message.get('prompt_token_ids'),
      body.get('prompt_token_ids'),
      choice.get('prompt_token_ids'),
    ),
    generation: first(message.get('generation_token_ids'), choice.get('token_ids')),
  };
}

/** Where ids are exposed, without and with asking for them. */
export function idsFact(plain: readonly string[], asked: readonly string[]): Fact {
  const shown = (places: readonly string[]): string => places.join(', ') || 'none';
  return measured('token ids', `with log-probs: ${shown(plain)}`, `with return_token_ids: ${shown(asked)}`);
}
