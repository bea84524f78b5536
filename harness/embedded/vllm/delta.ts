import type { Json, JsonObject } from '../../json/value.ts';
import { hex, int } from '../values.ts';
import type { ChatRequest } from './request.ts';
import type { SoFar } from './so-far.ts';
import type { Chat } from './started.ts';

/** What is new since the last token; empty for a token that only moved a parser. */
export function deltaOf(before: SoFar, after: SoFar, request: ChatRequest, { version }: Chat): JsonObject {
  const delta: JsonObject = new Map();
  const reasoning = after.reasoning.slice(before.reasoning.length);
  const content = after.content.slice(before.content.length);
  const shown = request.parallel_tool_calls === false ? after.calls.slice(0, 1) : after.calls;
  const calls = shown.flatMap((call, index) => callDelta(before.calls[index], call, index));
  if (content !== '') delta.set('content', content);
  else if (version.newStream && calls.length > 0) delta.set('content', null);
  if (reasoning !== '' && request.include_reasoning) delta.set('reasoning', reasoning);
  else if (version.newStream && delta.size > 0 && !request.include_reasoning) delta.set('reasoning', null);
  if (calls.length > 0) delta.set('tool_calls', calls);
  return delta;
}

function callDelta(
  before: SoFar['calls'][number] | undefined,
  after: SoFar['calls'][number],
  index: number,
): JsonObject[] {
  const begun: JsonObject = new Map<string, Json>([
    ['id', `chatcmpl-tool-${hex(16)}`],
    ['type', 'function'],
    ['index', int(index)],
    ['function', new Map([['name', after.name]])],
  ]);
  const fresh = after.arguments.slice(before?.arguments.length ?? 0);
  const more: JsonObject = new Map<string, Json>([
    ['index', int(index)],
    ['function', new Map([['arguments', fresh]])],
  ]);
  return [...(before ? [] : [begun]), ...(fresh === '' ? [] : [more])];
}
