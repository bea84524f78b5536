import { isJson } from '../../json/is-json.ts';
import { detail } from '../fastapi/answers.ts';
import { refusedAnswer } from '../refusal.ts';
import { isGuided } from './reply.ts';
import type { ChatRequest } from './request.ts';

/**
 * A grammar masks the real sampler from the first token on. The closed form cannot choose among masked tokens, so only a reply
 * that is JSON already, which the grammar would let through, is answered; else 501, which the real server never sends.
 */
export function guardGuided(request: ChatRequest, text: string): void {
  if (!isGuided(request) || isJson(text)) return;
  const reason = 'parity-embedded does not emulate grammar-guided decoding';
  throw refusedAnswer(detail(501, reason), reason);
}
