import { chatRequest } from '../dialects/write-chat.ts';
import type { Json, JsonObject } from '../json/value.ts';

export const CHAT = '/v1/chat/completions';

/** The user's text of every question that scripts nothing: one token of the Qwen3 vocabulary. */
export const GREETING = 'Hello';

/** Fields laid over the harness's own; `undefined` takes one out. */
export type Fields = Record<string, Json | undefined>;

interface Question {
  model: string | undefined;
  text?: string;
  tools?: Json[];
  maxTokens?: number;
  fields?: Fields;
}

/** The chat request a lane sends, with fields changed. Without a model the server shall take its only one. */
export function chatBody({
  model,
  text = GREETING,
  tools,
  maxTokens = 1,
  fields = {},
}: Question): JsonObject {
  const body = chatRequest({
    model: model ?? '',
    messages: [new Map(Object.entries({ role: 'user', content: text }))],
    tools,
    thinking: undefined,
    maxTokens,
    topLogprobs: 0,
  });
  for (const [name, value] of Object.entries({ ...(model === undefined ? { model } : {}), ...fields })) {
    if (value === undefined) body.delete(name);
    else body.set(name, value);
  }
  return body;
}
