import { type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import type { TurnRequest } from './dialect.ts';

/** The part of a chat request every server kind is asked alike: greedy, with log-probs, keys in a fixed order. */
export function chatRequest(turn: TurnRequest): JsonObject {
  const body: JsonObject = new Map<string, Json>([
    ['model', turn.model],
    ['messages', [...turn.messages]],
  ]);
  if (turn.tools) body.set('tools', turn.tools);
  if (turn.thinking !== undefined) {
    body.set('chat_template_kwargs', new Map([['enable_thinking', turn.thinking]]));
  }
  body.set('temperature', new JsonNumber('0.0'));
  body.set('top_p', new JsonNumber('1.0'));
  body.set('max_tokens', new JsonNumber(String(turn.maxTokens)));
  body.set('logprobs', true);
  return body.set('top_logprobs', new JsonNumber(String(turn.topLogprobs)));
}

/**
 * What a received message says, to be sent back as history: content and calls as they came, reasoning under both names, which
 * keeps one history for servers that read different ones.
 */
export function spokenMessage(message: JsonObject): JsonObject {
  const out: JsonObject = new Map<string, Json>([['role', 'assistant']]);
  const copy = (from: string, to = from): void => {
    const value = message.get(from);
    if (value !== undefined) out.set(to, value);
  };
  copy('content');
  const reasoning = message.has('reasoning') ? 'reasoning' : 'reasoning_content';
  copy(reasoning, 'reasoning');
  copy(reasoning, 'reasoning_content');
  copy('tool_calls');
  return out;
}
