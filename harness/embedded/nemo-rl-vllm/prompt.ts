import type { Json, JsonObject } from '../../json/value.ts';
import { ConversationError, conversationVllm, PART_TYPES, toolsVllm } from '../../oracle/conversation.ts';
import { splicePrompt } from '../../oracle/splice.ts';
import type { ChatTemplate } from '../../oracle/template.ts';
import { type ChatTokenizer, VOCABULARY } from '../../oracle/tokenizer.ts';
import { truthy } from './before.ts';
import { errorResponse, internal, invalid } from './errors.ts';

/** What turns messages into ids, the same for the chat route and `/tokenize`. */
export interface Renderer {
  tokenizer: ChatTokenizer;
  template: ChatTemplate;
  defaultKwargs: JsonObject | undefined;
}

/** The part of a request that decides the prompt. */
export interface PromptRequest {
  messages: JsonObject[];
  tools: Json[] | null;
  add_generation_prompt: boolean;
  continue_final_message: boolean;
  chat_template: string | null;
  chat_template_kwargs: JsonObject | null;
  reasoning_effort: string | null;
  required_prefix_token_ids: number[] | null;
}

/** A prompt with the pieces it was made of, all in ids. */
export interface Prompt {
  ids: readonly number[];
  template: readonly number[];
  templatePrefix: readonly number[];
  prefix: readonly number[] | undefined;
}

/** Template variables of a request: its own kwargs over the defaults, `enable_thinking` from the effort if unset. */
export function templateKwargs(request: PromptRequest, defaults: JsonObject | undefined): JsonObject {
  const kwargs: JsonObject = new Map([...(defaults ?? []), ...(request.chat_template_kwargs ?? [])]);
  const effort = request.reasoning_effort;
  if (effort !== null) {
    kwargs.set('reasoning_effort', effort);
    if (!request.chat_template_kwargs?.has('enable_thinking'))
      kwargs.set('enable_thinking', effort !== 'none');
  }
  return kwargs;
}

/** What the reasoning parser takes for thinking: Python's truth of `enable_thinking`, true without it. */
export const thinks = (kwargs: JsonObject): boolean =>
  !kwargs.has('enable_thinking') || truthy(kwargs.get('enable_thinking'));

/** Refuses templates that come with a request: this server does not trust them. */
export function checkTemplateTrust(request: PromptRequest): void {
  const inKwargs = request.chat_template_kwargs?.get('chat_template') ?? null;
  if (request.chat_template === null && inKwargs === null) return;
  const message =
    'Chat template is passed with request, but --trust-request-chat-template is not set. ' +
    'Refused request with untrusted chat template.';
  throw errorResponse(400, 'BadRequestError', null, message);
}

/** Ids of all messages. `checked` sees them before the second render, which only happens when ids are carried. */
export function buildPrompt(
  request: PromptRequest,
  renderer: Renderer,
  checked: (template: readonly number[]) => void,
): Prompt {
  const conversation = prepare(request.messages);
  const tools = request.tools ? toolsVllm(request.tools) : undefined;
  const kwargs = templateKwargs(request, renderer.defaultKwargs);
  const render = (messages: JsonObject[], addGenerationPrompt: boolean): string =>
    rendered(renderer.template, { messages, tools, addGenerationPrompt, kwargs });
  const { tokenizer } = renderer;
  const text = request.continue_final_message
    ? openEnded(conversation, request.add_generation_prompt, render)
    : render(conversation, request.add_generation_prompt);
  const template = tokenizer.encode(text);
  checked(template);
  const prefix = request.required_prefix_token_ids ?? undefined;
  if (!prefix) return { ids: template, template, templatePrefix: [], prefix };
  const last = request.messages.findLastIndex((message) => message.get('role') === 'assistant');
  const upTo = last === -1 ? conversation : conversation.slice(0, last + 1);
  const templatePrefix = tokenizer.encode(render(upTo, false));
  const splice = splicePrompt({ prefix, templatePrefix, template });
  if (!splice) throw internal('the end-of-turn id at which the prefix ends is not in the template');
  return { ids: splice.ids, template, templatePrefix, prefix };
}

/** Ids that no embedding row exists for are a plain ValueError of the engine. */
export function checkVocabulary(ids: readonly number[]): void {
  if (ids.some((id) => id < 0 || id >= VOCABULARY)) throw internal('a prompt id is outside the vocabulary');
}

function prepare(messages: readonly JsonObject[]): JsonObject[] {
  try {
    return conversationVllm(messages);
  } catch (error) {
    if (!(error instanceof ConversationError)) throw error;
    if (error.unknownPart === undefined) throw internal(error.message);
    const message =
      `Unsupported chat content part type: '${error.unknownPart}'. ` +
      `Supported types: ${PART_TYPES.join(', ')}.`;
    throw invalid(message, 'type', error.unknownPart);
  }
}

function rendered(template: ChatTemplate, input: Parameters<ChatTemplate['render']>[0]): string {
  try {
    return template.render(input);
  } catch (error) {
    throw internal(`the template failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The render cut off where the last message's content ends, as transformers does for `continue_final_message`: a mark is
 * put behind the content and everything from it on is dropped. Together with a generation prompt it refuses.
 */
function openEnded(
  conversation: readonly JsonObject[],
  addGenerationPrompt: boolean,
  render: (messages: JsonObject[], addGenerationPrompt: boolean) => string,
): string {
  if (addGenerationPrompt) throw internal('continue_final_message together with a generation prompt');
  const last = conversation.at(-1);
  if (!last) throw internal('no final message to continue');
  const mark = 'CONTINUE_FINAL_MESSAGE_TAG ';
  const marked: JsonObject = new Map([...last, ['content', `${String(last.get('content') ?? '')}${mark}`]]);
  const text = render([...conversation.slice(0, -1), marked], false);
  const at = text.lastIndexOf(mark.trim());
  if (at === -1) throw internal('the template does not print the final message');
  return text.startsWith(mark, at) ? text.slice(0, at) : text.slice(0, at).trimEnd();
}
