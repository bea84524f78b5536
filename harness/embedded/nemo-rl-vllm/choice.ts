import type { JsonObject } from '../../json/value.ts';
import type { ChoiceContext } from '../fault.ts';
import type { Generated } from '../generate.ts';
import { choiceOf, finishReason, messageOf } from './answer.ts';
import type { Planted } from './planted.ts';
import { parseReply } from './reply.ts';
import type { ChatRequest } from './request.ts';
import { toText } from './speech.ts';
import type { Chat } from './started.ts';
import type { StreamSource } from './stream.ts';

/** A finished generation with what it was made from. */
export interface Told {
  prompt: readonly number[];
  generated: Generated;
  thinking: boolean;
}

/** The same generation as the stream sees it. */
export function sourceOf(told: Told, request: ChatRequest, chat: Chat): StreamSource {
  const { renderer, parsers, model } = chat;
  return {
    ...told,
    model,
    thinking: parsers.reasoning !== null && told.thinking,
    tools: parsers.tool !== null && request.tool_choice !== 'none',
    role: roleOf(request),
    tokenizer: renderer.tokenizer,
    toText: (ids) => toText(ids, request, chat),
  };
}

/** Without a generation prompt the answer takes the last message's role. */
const roleOf = (request: ChatRequest): string =>
  request.add_generation_prompt ? 'assistant' : String(request.messages.at(-1)?.get('role') ?? '');

/** One choice of the answer, faults applied. */
export function choice(
  index: number,
  { prompt, generated, thinking }: Told,
  request: ChatRequest,
  { renderer, parsers }: Chat,
  { fault, context }: Planted,
): JsonObject {
  const parsed = parseReply(generated.text, request, parsers, thinking);
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
  const message = messageOf(parsed, role, request, { prompt, generation: generated.ids });
  const shown = fault?.message?.(message, seen) ?? message;
  const finish = finishReason(generated, parsed, request);
  const whole = choiceOf(index, shown, generated, request, { finish, tokenizer: renderer.tokenizer });
  return fault?.choice?.(whole, seen) ?? whole;
}
