import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { integer, list, nullable, Problems } from '../fastapi/pydantic.ts';
import { exception } from '../refusal.ts';
import { FIELDS } from '../vllm/fields.ts';
import { type Fields, type Request, readChatRequest } from '../vllm/request.ts';

/** vLLM's fields and NeMo-RL's own. */
export const NEMO_FIELDS = {
  ...FIELDS,
  /** Ids carried by the request or by a message, the request winning; null without any. */
  required_prefix_token_ids: [nullable(list(integer)), null],
} as const satisfies Fields;

export type NemoRequest = Request<typeof NEMO_FIELDS>;

/**
 * Reads a chat request as NeMo-RL's subclass of vLLM's request model does. Throws a refusal: 422 with pydantic's details, 500
 * where a validator fails outright.
 */
export function readNemoRequest(body: Json): NemoRequest {
  if (!isObject(body)) throw exception('a validator calls .get on the body');
  const request = readChatRequest(body, NEMO_FIELDS);
  request.required_prefix_token_ids ??= carriedIds(request.messages);
  if (request.messages.length === 0) throw exception('the last message is asked for');
  return request;
}

/**
 * NeMo-RL's rule for ids on messages: the last message of any role that has `prompt_token_ids` supplies them. A missing
 * partner is a KeyError, anything that cannot be joined a TypeError, ids that are no integers fail in the engine: all 500.
 */
function carriedIds(messages: readonly JsonObject[]): number[] | null {
  const carrier = messages.findLast((entry) => entry.has('prompt_token_ids'));
  if (!carrier) return null;
  const ids = ['prompt_token_ids', 'generation_token_ids'].flatMap((key) => {
    const value = carrier.get(key);
    if (!Array.isArray(value))
      throw exception(`${key} of a message is ${value === undefined ? 'missing' : 'no list'}`);
    return value;
  });
  const problems = new Problems();
  return ids.map((id) => {
    const whole = typeof id === 'object' && id !== null && 'lexeme' in id && id.isInteger;
    const read = whole ? integer(id, [], problems) : undefined;
    if (read === undefined) throw exception('an id of a message is not an integer');
    return read;
  });
}
