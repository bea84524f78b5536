import { VOCABULARY } from '../../oracle/tokenizer.ts';
import { exception, refusedCheck } from '../refusal.ts';
import type { ChatRequest } from './request.ts';

/** `max_logprobs`, vLLM's default. */
const MOST_LOGPROBS = 20;
/** `VLLM_MAX_N_SEQUENCES`, its default. */
const MOST_CHOICES = 16_384;
/** Below this temperature vLLM samples greedily. */
const GREEDY = 1e-5;

/** vLLM's `SamplingParams` checks that a chat request can fail: 400 for its own errors, 500 for plain ValueErrors. */
export function checkSampling(request: ChatRequest, maxTokens: number): void {
  const n = request.n ?? 1;
  if (n < 1 || n > MOST_CHOICES) throw exception('n is out of range');
  if (n > 1 && (request.temperature ?? 1) < GREEDY) throw exception('n must be 1 when sampling greedily');
  if (request.stop?.includes('')) throw exception('stop cannot contain an empty string');
  if (request.min_tokens < 0 || request.min_tokens > maxTokens) throw exception('min_tokens is out of range');
  const asked = request.logprobs === true ? (request.top_logprobs ?? 0) : 0;
  const top = asked === -1 ? VOCABULARY : asked;
  if (top <= MOST_LOGPROBS) return;
  const message = `Requested sample logprobs of ${top}, which is greater than max allowed: ${MOST_LOGPROBS}`;
  throw refusedCheck({ message, parameter: 'logprobs', value: top });
}
