import { truthy } from '../../json/truthy.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { ChoiceContext } from '../fault.ts';
import { generate } from '../generate.ts';
import type { HttpAnswer } from '../http.ts';
import {
  type Planted,
  plantedFor,
  plantedGeneration,
  plantedPrompt,
  plantedRequest,
  plantedStatus,
} from '../planted.ts';
import { exception } from '../refusal.ts';
import { int, ints } from '../values.ts';
import { bodyOf, okAnswer } from './answer.ts';
import { checkGate } from './gate.ts';
import { tokenBudget } from './limits.ts';
import { tokenLogprobs } from './logprobs.ts';
import { messageOf, parseReply } from './message.ts';
import { buildPrompt, templateKwargs } from './prompt.ts';
import type { Chat } from './started.ts';

/** One chat completion. Throws the refusal of a step. */
export function chatAnswer(body: Json, chat: Chat): HttpAnswer {
  if (!isObject(body)) throw exception('the body is no object');
  const planted = plantedFor(chat.fault, chat.tokenizer, body);
  return completed(plantedRequest(planted, body), chat, planted);
}

/** The real server's order of steps. */
function completed(body: JsonObject, chat: Chat, planted: Planted): HttpAnswer {
  const { fault, context } = planted;
  checkGate(body, chat.gate);
  plantedStatus(planted);
  const kwargs = templateKwargs(body, chat.templateKwargs);
  const built = buildPrompt(body, kwargs, chat);
  const prompt = plantedPrompt(planted, built);
  const shown = prompt === built.ids ? built.shown : ints(prompt);
  const { raw, kept, finish } = spoken(prompt, tokenBudget(body, prompt.length, chat), chat, planted);
  const ids = fault?.trim?.(kept, { ...context, raw }) ?? kept;
  const text = chat.tokenizer.decode(kept);
  const starts = chat.reasoningParser?.(truthy(kwargs.get('enable_thinking')));
  const atStart = starts === undefined ? undefined : (fault?.startsThinking?.(starts, context) ?? starts);
  const reply = parseReply(text, atStart, body.get('tools'), chat);
  const seen: ChoiceContext = { ...context, generation: raw, text, afterReasoning: reply.afterReasoning };
  const message = messageOf(reply, { prompt: shown, generation: ids });
  const choice: JsonObject = new Map<string, Json>([
    ['index', int(0)],
    ['message', fault?.message?.(message, seen) ?? message],
    ['finish_reason', reply.calls.length > 0 ? 'tool_calls' : finish],
  ]);
  if (truthy(body.get('logprobs')) && ids.length > 0)
    choice.set('logprobs', tokenLogprobs(ids, chat.tokenizer));
  const whole = fault?.choice?.(choice, seen) ?? choice;
  const answer = bodyOf(chat.model, whole, { prompt: prompt.length, completion: ids.length });
  return okAnswer(fault?.answer?.(answer, context) ?? answer, shown);
}

/** The generation as the engine gives it, and without the stop ids at its end. */
function spoken(prompt: readonly number[], maxTokens: number, chat: Chat, planted: Planted) {
  const stopIds = planted.fault?.stopIds?.(chat.stopIds, planted.context) ?? chat.stopIds;
  const rules = {
    maxTokens,
    minTokens: 0,
    ignoreEos: true,
    stopTokenIds: stopIds,
    stop: [],
    includeStop: true,
  };
  const { ids, finish } = generate(chat.teleprompter, prompt, rules, () => '');
  if (ids.some(Number.isNaN)) throw exception('the engine generated no id');
  const raw = plantedGeneration(planted, ids);
  const end = raw.findLastIndex((id) => !stopIds.has(id)) + 1;
  return { raw, kept: raw.slice(0, end), finish };
}
