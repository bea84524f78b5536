import { exception, refusedCheck } from '../refusal.ts';
import type { ChatRequest } from '../vllm/request.ts';

/** `max_completion_tokens` wins over `max_tokens`; null when neither was sent. */
export const requestedTokens = (request: ChatRequest): number | null =>
  request.max_completion_tokens ?? request.max_tokens;

/**
 * The check before any splice: the templated prompt plus what is asked for must fit. NeMo-RL asks for one token where a
 * limit was sent and none otherwise; tokenizing stops one id past what would fit, so the message counts no further.
 */
export function checkTemplateFits(template: readonly number[], request: ChatRequest, window: number): void {
  const output = requestedTokens(request) === null ? 0 : 1;
  if (template.length <= window - output) return;
  const input = window - output + 1;
  const message =
    `This model's maximum context length is ${window} tokens. However, you requested ${output} output tokens and ` +
    `your prompt contains at least ${input} input tokens, for a total of at least ${input + output} tokens. ` +
    'Please reduce the length of the input prompt or the number of requested output tokens.';
  throw refusedCheck({ message, parameter: 'input_tokens', value: input });
}

/** How many ids may be generated after the final prompt. Throws 500 for an overflow that only the splice made, 400 for 0. */
export function tokenBudget(
  { length, spliced }: { length: number; spliced: boolean },
  request: ChatRequest,
  window: number,
): number {
  const requested = requestedTokens(request);
  const room = window - length;
  if (spliced && requested !== null && room <= 0) throw exception('the spliced prompt fills the window');
  if (room < 0) throw exception('the prompt is longer than the window');
  const budget = requested === null ? room : Math.min(requested, room);
  if (budget < 1) {
    throw refusedCheck({
      message: `max_tokens must be at least 1, got ${budget}.`,
      parameter: 'max_tokens',
      value: budget,
    });
  }
  return budget;
}
