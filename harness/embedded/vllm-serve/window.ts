import { exception, refusedCheck } from '../refusal.ts';
import type { ChatRequest } from '../vllm/request.ts';

/** What is asked for may not be more than the window, whatever the prompt. */
export function checkOutputFits(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  window: number,
): void {
  const parameter = request.max_completion_tokens === null ? 'max_tokens' : 'max_completion_tokens';
  const value = request[parameter];
  if (value === null || value <= window) return;
  const message = `${parameter}=${value} cannot be greater than max_model_len=${window}. Please request fewer output tokens.`;
  throw refusedCheck({ message, parameter, value });
}

/** The prompt must fit by itself; tokenizing stops one id past the window, so the message counts no further. */
export function checkPromptFits(length: number, window: number): void {
  if (length <= window) return;
  const value = window + 1;
  const message =
    `This model's maximum context length is ${window} tokens. However, your prompt contains at least ${value} input tokens, ` +
    'which exceeds this limit even without any output tokens. Please reduce the length of the input prompt.';
  throw refusedCheck({ message, parameter: 'input_tokens', value });
}

/** On the route that takes ids the engine itself looks at the prompt, which must leave room for one more. */
export function checkDecoderPrompt(length: number, window: number): void {
  if (length < window) return;
  const [plus, counted] =
    length === window
      ? [' plus the number of requested output tokens (at least 1)', ' (prompt + requested output tokens)']
      : ['', ''];
  throw exception(
    'the prompt leaves no room',
    `The decoder prompt (length ${length})${plus} is longer than the maximum model length of ${window}. ` +
      `Make sure that \`max_model_len\` is no smaller than the number of text tokens${counted}.`,
  );
}

/** How many ids may be generated: what is asked for, or what is left. May be below one, which sampling then refuses. */
export const tokenBudget = (length: number, requested: number | null, window: number): number =>
  Math.min(requested ?? Number.POSITIVE_INFINITY, window - length);
