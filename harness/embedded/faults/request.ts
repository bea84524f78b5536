import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { Fault } from '../fault.ts';

/** Defects of how a request is read. */
export const requestFaults: readonly Fault[] = [
  {
    name: 'error-on-turn-two',
    about: 'the second request of a conversation is answered with 500',
    status: ({ turn }) => (turn === 2 ? 500 : undefined),
  },
  {
    name: 'sorted-schema-keys',
    about: 'the keys of tool parameters are sorted before the template prints them',
    request(body) {
      const tools = body.get('tools');
      if (!Array.isArray(tools)) return body;
      return new Map(body).set('tools', tools.map(withSortedParameters));
    },
  },
  {
    name: 'enable-thinking-ignored',
    about: 'enable_thinking of the request never reaches the template or the parser',
    request(body) {
      const kwargs = body.get('chat_template_kwargs');
      if (!isObject(kwargs) || !kwargs.has('enable_thinking')) return body;
      const rest: JsonObject = new Map(kwargs);
      rest.delete('enable_thinking');
      return new Map(body).set('chat_template_kwargs', rest);
    },
  },
];

function withSortedParameters(tool: Json): Json {
  const fn = isObject(tool) ? tool.get('function') : undefined;
  const parameters = isObject(fn) ? fn.get('parameters') : undefined;
  if (!isObject(tool) || !isObject(fn) || parameters === undefined) return tool;
  return new Map(tool).set('function', new Map(fn).set('parameters', sorted(parameters)));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = [...value].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(entries.map(([key, item]) => [key, sorted(item)]));
}
