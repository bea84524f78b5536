import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { VOCABULARY } from '../../oracle/tokenizer.ts';
import { detail, jsonAnswer } from '../fastapi/answers.ts';
import { type Generated, generate } from '../generate.ts';
import type { HttpAnswer } from '../http.ts';
import { refusedAnswer, refusedResponse } from '../refusal.ts';
import { hex, int, ints, now } from '../values.ts';
import { ALTERNATIVE, SAMPLED } from '../vllm/logprobs.ts';
import { checkVocabulary } from '../vllm/prompt.ts';
import { stopRules } from '../vllm/speech.ts';
import type { Chat } from '../vllm/started.ts';
import { type GenerateRequest, readGenerate } from './generate-request.ts';
import { checkModel } from './model.ts';
import { checkSampling } from './sampling.ts';
import { checkDecoderPrompt, tokenBudget } from './window.ts';

const DISABLED =
  'Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out to enable them.';

/** `/inference/v1/generate` of a server without `--enable-scale-out`. Throws its refusal. */
export function generateDisabled(): HttpAnswer {
  throw refusedResponse(403, 'PermissionDeniedError', null, DISABLED);
}

/**
 * `/inference/v1/generate`: ids in, ids out (`vllm/entrypoints/scale_out/token_in_token_out/`, 0.32.0). Streams, text and
 * several choices are not emulated (501). Throws a refusal.
 */
export function generateAnswer(input: Json, chat: Chat): HttpAnswer {
  const request = readGenerate(input);
  const { sampling_params: sampling, token_ids: prompt } = request;
  if (request.stream === true || request.output_mode === 'text' || sampling.n > 1) {
    const reason = 'parity-embedded emulates /inference/v1/generate for one choice of ids, not streamed';
    throw refusedAnswer(detail(501, reason), reason);
  }
  checkModel(request.model, chat.model);
  checkDecoderPrompt(prompt.length, chat.maxModelLen);
  const maxTokens = tokenBudget(prompt.length, sampling.max_tokens, chat.maxModelLen);
  checkSampling(sampling, maxTokens, sampling.logprobs ?? 0);
  checkVocabulary(prompt);
  // No text is made: a stop string has nothing to be found in.
  const generated = generate(chat.teleprompter, prompt, stopRules(sampling, maxTokens), () => '');
  return jsonAnswer(200, bodyOf(request, generated, chat.model));
}

function bodyOf(request: GenerateRequest, { ids, finish, stopReason }: Generated, model: string): JsonObject {
  const { sampling_params: sampling, token_ids: prompt } = request;
  const choice = new Map<string, Json>([
    ['index', int(0)],
    ['finish_reason', finish],
    ['stop_reason', typeof stopReason === 'number' ? int(stopReason) : stopReason],
    ['token_ids', ints(ids)],
    ['routed_experts', null],
    ['sampling_mask', null],
    ['weight_versions', [weights(ids.length)]],
    ['logprobs', sampling.logprobs === null ? null : logprobsOf(ids, sampling.logprobs)],
  ]);
  return new Map<string, Json>([
    ['request_id', `generate-tokens-${request.request_id ?? hex(16)}`],
    ['model', model],
    ['created', now()],
    ['usage', usageOf(prompt.length, ids.length)],
    ['prompt_logprobs', null],
    ['prompt_token_id_logprobs', null],
    ['prompt_token_ids', request.return_token_ids === true ? ints(prompt) : null],
    ['mm_placeholders', null],
    ['metrics', null],
    ['kv_transfer_params', null],
    ['ec_transfer_params', null],
    ['output_mode', 'tokens'],
    ['choices', [choice]],
  ]);
}

const weights = (end: number): JsonObject =>
  new Map<string, Json>([
    ['version', 'default'],
    ['start', int(0)],
    ['end', int(end)],
  ]);

/** The sampled token first; the others are made up, as in the chat route's emulation. */
function logprobsOf(ids: readonly number[], count: number): JsonObject {
  const entryOf = (id: number, logprob: JsonNumber, rank: number): JsonObject =>
    new Map<string, Json>([
      ['token_id', int(id)],
      ['logprob', logprob],
      ['rank', int(rank)],
    ]);
  const content = ids.map((id) => {
    const others = Array.from({ length: Math.max(0, count - 1) }, (_, index) => {
      const rank = index + 2;
      const logprob = new JsonNumber((ALTERNATIVE - rank / 10).toFixed(1));
      return entryOf((id + rank) % VOCABULARY, logprob, rank);
    });
    return entryOf(id, SAMPLED, 1).set('top_logprobs', [entryOf(id, SAMPLED, 1), ...others]);
  });
  return new Map([['content', content]]);
}

/** As on the completions route. */
export const usageOf = (prompt: number, completion: number): JsonObject =>
  new Map<string, Json>([
    ['prompt_tokens', int(prompt)],
    ['total_tokens', int(prompt + completion)],
    ['completion_tokens', int(completion)],
    ['prompt_tokens_details', null],
    ['completion_tokens_details', null],
  ]);
