import { truthy } from '../../json/truthy.ts';
import type { Json, JsonObject } from '../../json/value.ts';
import type { ChatTemplate } from '../../oracle/template.ts';
import { type ChatTokenizer, TokenizerError, VOCABULARY } from '../../oracle/tokenizer.ts';
import { exception, refusedResponse } from '../refusal.ts';
import type { VllmVersion } from './version.ts';

/** What turns messages into ids, the same for the chat route and `/tokenize`. */
export interface Renderer {
  tokenizer: ChatTokenizer;
  template: ChatTemplate;
  defaultKwargs: JsonObject | undefined;
  version: VllmVersion;
  /** Served name, which some refusals carry. */
  model: string;
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

/** Refuses templates that come with a request: no server here trusts them. */
export function checkTemplateTrust(request: PromptRequest): void {
  const inKwargs = request.chat_template_kwargs?.get('chat_template') ?? null;
  if (request.chat_template === null && inKwargs === null) return;
  const message =
    'Chat template is passed with request, but --trust-request-chat-template is not set. ' +
    'Refused request with untrusted chat template.';
  throw refusedResponse(400, 'BadRequestError', null, message);
}

/** A request's messages, ready to be rendered whole or in part. */
export interface Rendering {
  conversation: readonly JsonObject[];
  /** Ids of messages. */
  ids(messages: readonly JsonObject[], addGenerationPrompt: boolean): number[];
  /** Ids of all messages, as the request wants them to end. */
  all(): number[];
}

export function rendering(request: PromptRequest, renderer: Renderer): Rendering {
  const { tokenizer, template, version, model } = renderer;
  const conversation = version.conversation(request.messages, model);
  const tools = request.tools ? version.tools(request.tools) : undefined;
  const kwargs = templateKwargs(request, renderer.defaultKwargs);
  const render: Render = (messages, addGenerationPrompt) =>
    rendered(template, { messages: [...messages], tools, addGenerationPrompt, kwargs });
  const text = (): string =>
    request.continue_final_message
      ? openEnded(conversation, request.add_generation_prompt, render)
      : render(conversation, request.add_generation_prompt);
  return {
    conversation,
    ids: (messages, addGenerationPrompt) => encoded(tokenizer, render(messages, addGenerationPrompt)),
    all: () => encoded(tokenizer, text()),
  };
}

/** Ids that no embedding row exists for are a ValueError of the engine. */
export function checkVocabulary(ids: readonly number[]): void {
  const foreign = ids.find((id) => id < 0 || id >= VOCABULARY);
  if (foreign === undefined) return;
  throw exception('a prompt id is outside the vocabulary', `Token id ${foreign} is out of vocabulary`);
}

type Render = (messages: readonly JsonObject[], addGenerationPrompt: boolean) => string;

function rendered(template: ChatTemplate, input: Parameters<ChatTemplate['render']>[0]): string {
  try {
    return template.render(input);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw exception(`the template failed: ${message}`, message);
  }
}

function encoded(tokenizer: ChatTokenizer, text: string): number[] {
  try {
    return tokenizer.encode(text);
  } catch (error) {
    if (!(error instanceof TokenizerError)) throw error;
    const python = 'TextEncodeInput must be Union[TextInputSequence, Tuple[InputSequence, InputSequence]]';
    throw exception(error.message, python);
  }
}

const NOT_COMPATIBLE =
  'continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model ' +
  'to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a ' +
  'new assistant message instead.';

/**
 * The render cut off where the last message's content ends, as transformers does for `continue_final_message`: a mark is
 * put behind the content and everything from it on is dropped. Together with a generation prompt it refuses.
 */
function openEnded(
  conversation: readonly JsonObject[],
  addGenerationPrompt: boolean,
  render: Render,
): string {
  if (addGenerationPrompt) throw exception('both flags of the generation prompt', NOT_COMPATIBLE);
  const last = conversation.at(-1);
  if (!last) throw exception('no final message to continue');
  const mark = 'CONTINUE_FINAL_MESSAGE_TAG ';
  const marked: JsonObject = new Map([...last, ['content', `${String(last.get('content') ?? '')}${mark}`]]);
  const text = render([...conversation.slice(0, -1), marked], false);
  const at = text.lastIndexOf(mark.trim());
  if (at === -1) throw exception('the template does not print the final message');
  return text.startsWith(mark, at) ? text.slice(0, at) : text.slice(0, at).trimEnd();
}
