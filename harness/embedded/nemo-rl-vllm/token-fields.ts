import type { Json } from '../../json/value.ts';
import { refusedCheck } from '../refusal.ts';
import { ints } from '../values.ts';
import { SAMPLED } from '../vllm/logprobs.ts';
import type { ChatRequest } from '../vllm/request.ts';
import type { Told } from '../vllm/told.ts';

/** Whether NeMo-RL puts ids on the message: log-probs asked for, and their token form not switched off. */
const carriesIds = (request: ChatRequest): boolean =>
  request.logprobs === true && request.return_tokens_as_token_ids !== false;

/** NeMo-RL's token fields of a message (`nemo_rl/models/generation/vllm/utils.py`). */
export function tokenFields(request: ChatRequest, { prompt, generated }: Told): [string, Json][] {
  if (!carriesIds(request)) return [];
  return [
    ['prompt_token_ids', ints(prompt)],
    ['generation_token_ids', ints(generated.ids)],
    ['generation_log_probs', generated.ids.map(() => SAMPLED)],
  ];
}

/** NeMo-RL's own demand where it is to put ids on the message. */
export function checkTokenFields(request: ChatRequest): void {
  if (!carriesIds(request) || request.top_logprobs !== null) return;
  const message =
    '`top_logprobs` must be set when requesting token information from the NeMo-RL chat endpoint.';
  throw refusedCheck({ message, parameter: 'top_logprobs' });
}
