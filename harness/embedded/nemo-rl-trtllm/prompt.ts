import { truthy } from '../../json/truthy.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { conversationTrtllm, TrtllmConversationError } from '../../oracle/conversation-trtllm.ts';
import { splicePrompt } from '../../oracle/splice.ts';
import { exception } from '../refusal.ts';
import { ints } from '../values.ts';
import { applyTemplate } from './apply-template.ts';
import { refused } from './refused.ts';
import type { Chat } from './started.ts';

/** A prompt with the pieces it was made of. */
export interface Prompt {
  ids: readonly number[];
  template: readonly number[];
  templatePrefix: readonly number[];
  prefix: readonly number[] | undefined;
  /** The ids as the answer repeats them: carried ones are never looked at, so they may be anything. */
  shown: readonly Json[];
}

/** Template variables of a request: its own over the server's. Throws for what is no object, a falsy value apart. */
export function templateKwargs(body: JsonObject, defaults: JsonObject): JsonObject {
  const given = body.get('chat_template_kwargs');
  if (!truthy(given)) return defaults;
  if (!isObject(given)) throw exception('chat_template_kwargs is no object');
  return new Map([...defaults, ...given]);
}

/** The prompt of a request. Rendered twice whether or not ids are carried, as the real server does. */
export function buildPrompt(body: JsonObject, kwargs: JsonObject, chat: Chat): Prompt {
  const messages = body.get('messages') ?? null;
  if (!Array.isArray(messages)) throw exception('messages is no list');
  const conversation = read(messages);
  const tools = body.get('tools');
  const call = { kwargs, tools: truthy(tools) ? tools : undefined };
  const template = applyTemplate({ ...call, messages: conversation, addGenerationPrompt: true }, chat);
  const last = conversation.findLastIndex((message) => message.get('role') === 'assistant');
  const upToLast = last === -1 ? conversation : conversation.slice(0, last + 1);
  const carried = carriedIds(messages);
  const templatePrefix = applyTemplate({ ...call, messages: upToLast, addGenerationPrompt: false }, chat);
  const prefix = carried.map((id) => (id instanceof JsonNumber ? id.value : Number.NaN));
  const splice = splicePrompt({ prefix, template, templatePrefix });
  if (!splice) throw exception('the end-of-turn id at which the prefix ends is not in the template');
  const shown = [...carried.slice(0, splice.kept), ...ints(template.slice(splice.cut))];
  return {
    ids: splice.ids,
    template,
    templatePrefix,
    prefix: carried.length > 0 ? prefix : undefined,
    shown,
  };
}

function read(messages: readonly Json[]): JsonObject[] {
  try {
    return conversationTrtllm(messages);
  } catch (error) {
    if (!(error instanceof TrtllmConversationError)) throw error;
    throw error.answer === undefined ? exception(error.message) : refused(error.answer);
  }
}

/** Ids of the last assistant message that has `prompt_token_ids`; those of its generation may be missing. */
function carriedIds(messages: readonly Json[]): Json[] {
  const carriers = messages.filter(isObject).filter((message) => message.get('role') === 'assistant');
  const carrier = carriers.findLast((message) => message.has('prompt_token_ids'));
  if (!carrier) return [];
  const generation = carrier.get('generation_token_ids');
  return [...listed(carrier.get('prompt_token_ids')), ...(truthy(generation) ? listed(generation) : [])];
}

/** Python's `list`: a text by character, an object by key. */
function listed(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  if (isObject(value)) return [...value.keys()];
  throw exception('ids that cannot be listed');
}
