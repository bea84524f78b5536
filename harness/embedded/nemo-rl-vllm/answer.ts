import { randomBytes } from 'node:crypto';
import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { Generated } from '../generate.ts';
import { tokenLogprobs } from './logprobs.ts';
import type { Reply } from './reply.ts';
import type { ChatRequest } from './request.ts';

/** vLLM prints its version and a hash of its configuration; this is the recorded server's. */
export const FINGERPRINT = 'vllm-0.25.1-74bb39c8';
/** What every log-prob says: the closed form knows which token comes, not how likely the real one was. */
export const LOGPROB = -1.5;

export const int = (value: number): JsonNumber => new JsonNumber(String(value));
export const ints = (values: readonly number[]): Json[] => values.map(int);
const float = (value: number): JsonNumber =>
  new JsonNumber(Number.isInteger(value) ? `${value}.0` : `${value}`);

export const hexId = (prefix: string): string => `${prefix}${randomBytes(8).toString('hex')}`;
export const requestId = (request: ChatRequest): string =>
  request.request_id === undefined ? hexId('chatcmpl-') : `chatcmpl-${request.request_id}`;
export const now = (): JsonNumber => int(Math.floor(Date.now() / 1000));

/** Whether NeMo-RL puts ids on the message: log-probs asked for, and their token form not switched off. */
export const carriesIds = (request: ChatRequest): boolean =>
  request.logprobs === true && request.return_tokens_as_token_ids !== false;

/** The assistant message, keys in the server's order. */
export function messageOf(
  reply: Reply,
  role: string,
  request: ChatRequest,
  { prompt, generation }: { prompt: readonly number[]; generation: readonly number[] },
): JsonObject {
  const message: JsonObject = new Map<string, Json>([
    ['role', role],
    ['content', reply.content],
    ['refusal', null],
    ['annotations', null],
    ['audio', null],
    ['function_call', null],
  ]);
  if (reply.calls.length > 0) message.set('tool_calls', reply.calls.map(toolCall));
  message.set('reasoning', reply.reasoning);
  if (carriesIds(request)) {
    message.set('prompt_token_ids', ints(prompt));
    message.set('generation_token_ids', ints(generation));
    message.set(
      'generation_log_probs',
      generation.map(() => float(LOGPROB)),
    );
  }
  return message;
}

const toolCall = (call: { name: string; arguments: string }): JsonObject =>
  new Map<string, Json>([
    ['id', hexId('chatcmpl-tool-')],
    ['type', 'function'],
    [
      'function',
      new Map([
        ['name', call.name],
        ['arguments', call.arguments],
      ]),
    ],
  ]);

/** Calls of an auto choice win over everything; a required choice that ended by itself counts as calls too. */
export function finishReason(generated: Generated, reply: Reply, request: ChatRequest): string {
  const required = request.tool_choice === 'required' && generated.finish === 'stop';
  return reply.callsFinish || required ? 'tool_calls' : generated.finish;
}

/** One choice, its message given. */
export function choiceOf(
  index: number,
  message: JsonObject,
  generated: Generated,
  request: ChatRequest,
  { finish, tokenizer }: { finish: string; tokenizer: ChatTokenizer },
): JsonObject {
  const { ids, stopReason } = generated;
  return new Map<string, Json>([
    ['index', int(index)],
    ['message', message],
    ['logprobs', tokenLogprobs(ids, request, tokenizer)],
    ['finish_reason', finish],
    ['stop_reason', typeof stopReason === 'number' ? int(stopReason) : stopReason],
    ['token_ids', request.return_token_ids === true ? ints(ids) : null],
    ['routed_experts', null],
  ]);
}

/** Token counts; the terminal stop id counts as generated. */
export const usageOf = (prompt: number, completion: number): JsonObject =>
  new Map<string, Json>([
    ['prompt_tokens', int(prompt)],
    ['total_tokens', int(prompt + completion)],
    ['completion_tokens', int(completion)],
    ['prompt_tokens_details', null],
  ]);

/** The whole body of a 200. */
export function bodyOf(
  model: string,
  request: ChatRequest,
  { prompt, choices, completion }: { prompt: readonly number[]; choices: JsonObject[]; completion: number },
): JsonObject {
  return new Map<string, Json>([
    ['id', requestId(request)],
    ['object', 'chat.completion'],
    ['created', now()],
    ['model', model],
    ['choices', choices],
    ['service_tier', null],
    ['system_fingerprint', FINGERPRINT],
    ['usage', usageOf(prompt.length, completion)],
    // Echo asks for log-probs of the prompt; as recorded, they hold the first token's place only.
    ['prompt_logprobs', request.echo && request.top_logprobs !== null ? [null] : null],
    ['prompt_token_ids', request.return_token_ids === true ? ints(prompt) : null],
    ['prompt_text', null],
    ['kv_transfer_params', null],
    ['metrics', null],
  ]);
}
