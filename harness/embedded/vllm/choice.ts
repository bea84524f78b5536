import type { Json, JsonObject } from '../../json/value.ts';
import type { ChoiceContext } from '../fault.ts';
import type { Generated } from '../generate.ts';
import type { Planted } from '../planted.ts';
import { int, ints } from '../values.ts';
import { messageOf } from './answer.ts';
import { tokenLogprobs } from './logprobs.ts';
import { parseReply, type Reply } from './reply.ts';
import type { ChatRequest } from './request.ts';
import type { Chat } from './started.ts';
import type { Told } from './told.ts';

/** Without a generation prompt the answer takes the last message's role. */
export const roleOf = (request: ChatRequest): string =>
  request.add_generation_prompt ? 'assistant' : String(request.messages.at(-1)?.get('role') ?? '');

/** Whether an answer keeps log-probs and ids to itself, as newer versions do for a reader who wants no reasoning. */
export const hidesTokens = (request: ChatRequest, { version, parsers }: Chat): boolean =>
  version.hidesTokens && !request.include_reasoning && (parsers.reasoning ?? parsers.tool) !== null;

/** One choice of the answer, faults applied. */
export function choice(
  index: number,
  told: Told,
  request: ChatRequest,
  chat: Chat,
  { fault, context }: Planted,
): JsonObject {
  const { generated, thinking } = told;
  const parsed = parseReply(generated.text, request, chat, thinking);
  const last = request.messages.at(-1);
  const role = roleOf(request);
  if (request.echo) {
    const said = last?.get('role') === role ? last?.get('content') : undefined;
    parsed.content = (typeof said === 'string' ? said : '') + (parsed.content ?? '');
  }
  const seen: ChoiceContext = {
    ...context,
    generation: generated.ids,
    text: generated.text,
    afterReasoning: parsed.afterReasoning,
  };
  const message: JsonObject = new Map([...messageOf(parsed, role), ...chat.messageFields(request, told)]);
  const shown = fault?.message?.(message, seen) ?? message;
  const whole = choiceOf(index, shown, finishReason(generated, parsed, request), told, request, chat);
  return fault?.choice?.(whole, seen) ?? whole;
}

/** Calls of an auto choice win over everything; a required choice that ended by itself counts as calls too. */
function finishReason(generated: Generated, reply: Reply, request: ChatRequest): string {
  const required = request.tool_choice === 'required' && generated.finish === 'stop';
  return reply.callsFinish || required ? 'tool_calls' : generated.finish;
}

function choiceOf(
  index: number,
  message: JsonObject,
  finish: string,
  { generated: { ids, stopReason } }: Told,
  request: ChatRequest,
  chat: Chat,
): JsonObject {
  const hidden = hidesTokens(request, chat);
  return new Map<string, Json>([
    ['index', int(index)],
    ['message', message],
    ['logprobs', hidden ? null : tokenLogprobs(ids, request, chat)],
    ['finish_reason', finish],
    ['stop_reason', typeof stopReason === 'number' ? int(stopReason) : stopReason],
    ['token_ids', request.return_token_ids === true && !hidden ? ints(ids) : null],
    ['routed_experts', null],
  ]);
}
