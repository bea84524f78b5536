import type { SamplingPair } from '../options.ts';
import { exception } from '../refusal.ts';
import type { ChatRequest } from '../vllm/request.ts';

/** The two pairs a request may carry. */
export interface Gate {
  train: SamplingPair;
  validation: SamplingPair;
}

/**
 * NeMo-RL's assertions on sampling: `top_k` absent, null or -1; `top_p` sent; (temperature, top_p) one of the two pairs.
 * What fails them is a 500, which this throws.
 */
export function checkGate(request: ChatRequest, { train, validation }: Gate): void {
  if (request.top_k !== null && request.top_k !== -1) throw exception('top_k is neither null nor -1');
  if (request.top_p === null) throw exception('top_p is not set');
  const matches = (pair: SamplingPair): boolean =>
    request.temperature === pair.temperature && request.top_p === pair.top_p;
  if (!matches(train) && !matches(validation))
    throw exception('temperature and top_p match no configured pair');
}
