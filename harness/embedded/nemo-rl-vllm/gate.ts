import type { SamplingPair } from '../options.ts';
import { internal } from './errors.ts';
import type { ChatRequest } from './request.ts';

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
  if (request.top_k !== null && request.top_k !== -1) throw internal('top_k is neither null nor -1');
  if (request.top_p === null) throw internal('top_p is not set');
  const matches = (pair: SamplingPair): boolean =>
    request.temperature === pair.temperature && request.top_p === pair.top_p;
  if (!matches(train) && !matches(validation))
    throw internal('temperature and top_p match no configured pair');
}
