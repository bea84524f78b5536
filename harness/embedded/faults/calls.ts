import { parseJson } from '../../json/parse.ts';
import { dumpsPythonCompact } from '../../json/print.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { toolsHermes } from '../../oracle/tools.ts';
import type { Fault } from '../fault.ts';
import { TRTLLM } from '../kinds.ts';

/** Defects of the tool parser; each acts only on a message with calls. */
export const callFaults: readonly Fault[] = [
  {
    name: 'tool-calls-dropped',
    about: 'calls are dropped silently and content is empty',
    message: (message) => (hasCalls(message) ? withoutCalls(message, null) : message),
    choice: stopped,
  },
  {
    name: 'tool-calls-as-text',
    about: 'calls stay in content as the text the model wrote',
    message: (message, { afterReasoning }) =>
      hasCalls(message) ? withoutCalls(message, afterReasoning) : message,
    choice: stopped,
  },
  {
    name: 'text-before-call-lost',
    about: 'text before a call is missing from content',
    message: (message) => (hasCalls(message) ? new Map(message).set('content', null) : message),
  },
  {
    name: 'escaped-arguments',
    about: 'characters beyond ASCII are escaped in arguments',
    message: (message) => withArguments(message, escaped),
  },
  {
    name: 'arguments-compact',
    about: 'arguments are printed without blanks after separators',
    message: (message) => withArguments(message, (text) => dumpsPythonCompact(parseJson(text))),
  },
  {
    name: 'later-calls-lost',
    about: 'only the first of several calls is returned',
    message(message) {
      const calls = message.get('tool_calls');
      return Array.isArray(calls) ? new Map(message).set('tool_calls', calls.slice(0, 1)) : message;
    },
  },
  {
    name: 'bad-block-hides-good',
    about: 'one block that is no call turns all calls of the reply into text',
    servers: TRTLLM,
    message: (message, { afterReasoning }) =>
      hasCalls(message) && toolsHermes(afterReasoning).calls.length === 0
        ? withoutCalls(message, afterReasoning)
        : message,
    choice: stopped,
  },
  {
    name: 'call-stripped-content-kept',
    about: 'content beside calls keeps the blanks around it',
    servers: TRTLLM,
    message(message, { afterReasoning }) {
      if (!hasCalls(message)) return message;
      const before = afterReasoning.slice(0, afterReasoning.indexOf('<tool_call>'));
      return new Map(message).set('content', before || null);
    },
  },
];

const hasCalls = (message: JsonObject): boolean => message.has('tool_calls');

function withoutCalls(message: JsonObject, content: string | null): JsonObject {
  const out: JsonObject = new Map(message).set('content', content);
  out.delete('tool_calls');
  return out;
}

/** A choice whose calls are gone ended by itself. */
function stopped(choice: JsonObject): JsonObject {
  const message = choice.get('message');
  const isGone = choice.get('finish_reason') === 'tool_calls' && isObject(message) && !hasCalls(message);
  return isGone ? new Map(choice).set('finish_reason', 'stop') : choice;
}

function withArguments(message: JsonObject, change: (text: string) => string): JsonObject {
  const calls = message.get('tool_calls');
  if (!Array.isArray(calls)) return message;
  return new Map(message).set(
    'tool_calls',
    calls.map((call) => changed(call, change)),
  );
}

function changed(call: Json, change: (text: string) => string): Json {
  const fn = isObject(call) ? call.get('function') : undefined;
  const text = isObject(fn) ? fn.get('arguments') : undefined;
  if (!isObject(call) || !isObject(fn) || typeof text !== 'string') return call;
  return new Map(call).set('function', new Map(fn).set('arguments', change(text)));
}

/** Python's `ensure_ascii`: UTF-16 units beyond ASCII as `\uXXXX`. */
const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
