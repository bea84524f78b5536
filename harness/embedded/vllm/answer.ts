import type { Json, JsonObject } from '../../json/value.ts';
import { hex, int, ints, now } from '../values.ts';
import { reasoningTokens } from './reasoning-tokens.ts';
import type { Reply } from './reply.ts';
import type { ChatRequest } from './request.ts';
import type { Chat } from './started.ts';
import type { Told } from './told.ts';

export const requestId = (request: ChatRequest): string => `chatcmpl-${request.request_id ?? hex(16)}`;
/** The assistant message, keys in vLLM's order. */
export function messageOf(reply: Reply, role: string): JsonObject {
  const message: JsonObject = new Map<string, Json>([
    ['role', role],
    ['content', reply.content],
    ['refusal', null],
    ['annotations', null],
    ['audio', null],
    ['function_call', null],
  ]);
  if (reply.calls.length > 0) message.set('tool_calls', reply.calls.map(toolCall));
  return message.set('reasoning', reply.reasoning);
}

const toolCall = (call: { name: string; arguments: string }): JsonObject =>
  new Map<string, Json>([
    ['id', `chatcmpl-tool-${hex(16)}`],
    ['type', 'function'],
    [
      'function',
      new Map([
        ['name', call.name],
        ['arguments', call.arguments],
      ]),
    ],
  ]);

/** Token counts; the terminal stop id counts as generated. */
export function usageOf(told: Told, choices: number, { version, parsers, renderer }: Chat): JsonObject {
  const prompt = told.prompt.length;
  const completion = told.generated.ids.length * choices;
  const usage: JsonObject = new Map<string, Json>([
    ['prompt_tokens', int(prompt)],
    ['total_tokens', int(prompt + completion)],
    ['completion_tokens', int(completion)],
    ['prompt_tokens_details', null],
  ]);
  if (!version.countsReasoning) return usage;
  const reasoning = reasoningTokens(told.generated.ids, told.thinking, renderer.tokenizer) * choices;
  const details = new Map([['reasoning_tokens', int(reasoning)]]);
  return usage.set('completion_tokens_details', parsers.reasoning === null ? null : details);
}

/** The whole body of a 200. */
export function bodyOf(told: Told, choices: JsonObject[], request: ChatRequest, chat: Chat): JsonObject {
  const { version, model } = chat;
  return new Map<string, Json>([
    ['id', requestId(request)],
    ['object', 'chat.completion'],
    ['created', now()],
    ['model', model],
    ['choices', choices],
    ['service_tier', null],
    ['system_fingerprint', version.fingerprint],
    ['usage', usageOf(told, choices.length, chat)],
    // Echo asks for log-probs of the prompt; as recorded on 0.25.1, they hold the first token's place only.
    ['prompt_logprobs', request.echo && request.top_logprobs !== null ? [null] : null],
    ['prompt_token_ids', request.return_token_ids === true ? ints(told.prompt) : null],
    ['prompt_text', null],
    ['kv_transfer_params', null],
    ...(version.countsReasoning ? [['ec_transfer_params', null] as const] : []),
    ['metrics', null],
  ]);
}
