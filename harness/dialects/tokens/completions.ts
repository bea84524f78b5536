import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { onlyChoice, usageOf } from '../read-chat.ts';
import { NEUTRAL } from '../vllm-serve.ts';
import { type TokenApi, type TokenFields, type TokenTurn, tokenFields } from './api.ts';
import { completionLogprobs } from './completion-logprobs.ts';

/** The part of a completion request that both engines take. */
const completion = ({ model, prompt, maxTokens }: TokenTurn): JsonObject =>
  new Map<string, Json>([
    ['model', model],
    ['prompt', prompt.map((id) => new JsonNumber(String(id)))],
    ['temperature', new JsonNumber('0.0')],
    ['top_p', new JsonNumber('1.0')],
    ['max_tokens', new JsonNumber(String(maxTokens))],
  ]);

/** Ids come on the choice; prompt ids on the choice (vLLM) or beside the choices (TensorRT-LLM), if at all. */
function read(body: Json): TokenFields | string {
  const choice = onlyChoice(body);
  if (!isObject(body) || !choice) return 'the body has no `choices` with one entry';
  return tokenFields({
    prompt: choice.get('prompt_token_ids') ?? body.get('prompt_token_ids'),
    ids: choice.get('token_ids'),
    sampled: completionLogprobs(choice.get('logprobs')),
    finish: choice.get('finish_reason'),
    usage: usageOf(body.get('usage')),
  });
}

/** vLLM's `/v1/completions` with ids for a prompt (`vllm/entrypoints/openai/completion/`, 0.32.0). */
export const vllmCompletions: TokenApi = {
  path: '/v1/completions',
  request(turn) {
    const body = completion(turn);
    for (const [name, value] of NEUTRAL) body.set(name, new JsonNumber(value));
    body.set('logprobs', new JsonNumber(String(turn.topLogprobs)));
    body.set('return_token_ids', true);
    return body.set('return_tokens_as_token_ids', true);
  },
  read,
};

/**
 * trtllm-serve's `/v1/completions` (`tensorrt_llm/serve/openai_protocol.py`, `postprocess_handlers.py`): ids come only with
 * `detokenize: false`, log-probs only from 1 on, and an unknown field is a 400. Written to that source: it has not been run
 * against the real server.
 */
export const trtllmCompletions: TokenApi = {
  path: '/v1/completions',
  request(turn) {
    const body = completion(turn);
    body.set('logprobs', new JsonNumber(String(Math.max(1, turn.topLogprobs))));
    return body.set('detokenize', false);
  },
  read,
};
