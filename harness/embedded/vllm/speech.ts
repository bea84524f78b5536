import { textVllm } from '../../oracle/detokenize.ts';
import { type Generated, generate, type StopRules } from '../generate.ts';
import { type Planted, plantedGeneration } from '../planted.ts';
import type { ChatRequest } from './request.ts';
import type { Chat } from './started.ts';

/** What the model says after a prompt, by the request's stop rules. */
export function reply(
  prompt: readonly number[],
  maxTokens: number,
  request: ChatRequest,
  chat: Chat,
): Generated {
  const rules = stopRules(request, maxTokens);
  return generate(chat.teleprompter, prompt, rules, (ids) => toText(ids, request, chat));
}

/** What of a request decides where a generation ends. */
export type Stops = Pick<
  ChatRequest,
  'min_tokens' | 'ignore_eos' | 'stop_token_ids' | 'stop' | 'include_stop_str_in_output'
>;

export const stopRules = (request: Stops, maxTokens: number): StopRules => ({
  maxTokens,
  minTokens: request.min_tokens,
  ignoreEos: request.ignore_eos,
  stopTokenIds: new Set(request.stop_token_ids),
  stop: request.stop ?? [],
  includeStop: request.include_stop_str_in_output,
});

/** Text of generated ids. Special tokens stay where a parser asks for it, whatever the request says. */
export function toText(ids: readonly number[], request: ChatRequest, { renderer, parsers }: Chat): string {
  const byTools = parsers.tool !== null && request.tools !== null && request.tool_choice !== 'none';
  const keep = parsers.reasoning !== null || byTools || !request.skip_special_tokens;
  return textVllm(renderer.tokenizer, ids, false, { skipSpecial: !keep });
}

/** A generation as a planted fault leaves it, its text made again from its ids. */
export function withPlanted(
  generated: Generated,
  planted: Planted,
  request: ChatRequest,
  chat: Chat,
): Generated {
  const ids = plantedGeneration(planted, generated.ids);
  if (ids === generated.ids) return generated;
  const endedOnId = generated.finish === 'stop' && typeof generated.stopReason !== 'string';
  const body = endedOnId && ids.at(-1) === generated.ids.at(-1) ? ids.slice(0, -1) : ids;
  return { ...generated, ids: [...ids], text: toText(body, request, chat) };
}
