import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { Fault } from '../fault.ts';
import { NEMO_RL } from '../kinds.ts';

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
  {
    name: 'thinking-default-off',
    about: 'thinking is off unless a request asks for it',
    request(body) {
      const kwargs = body.get('chat_template_kwargs') ?? null;
      const given: JsonObject = isObject(kwargs) ? kwargs : new Map();
      if (given.has('enable_thinking') || (kwargs !== null && !isObject(kwargs))) return body;
      return new Map(body).set('chat_template_kwargs', new Map([...given, ['enable_thinking', false]]));
    },
  },
  {
    name: 'schema-redumped',
    about: 'tools are printed back from a typed model, which adds `strict` and fixes the order of keys',
    request(body) {
      const tools = body.get('tools');
      return Array.isArray(tools) ? new Map(body).set('tools', tools.map(redumped)) : body;
    },
  },
  {
    name: 'ids-of-other-turn',
    about: 'the newest answer in the history carries the ids of the oldest one',
    servers: NEMO_RL,
    request(body) {
      const messages = body.get('messages');
      if (!Array.isArray(messages)) return body;
      const carries = (message: Json): message is JsonObject =>
        isObject(message) && message.get('role') === 'assistant' && message.has('prompt_token_ids');
      const oldest = messages.find(carries);
      const newest = messages.findLastIndex(carries);
      const message = messages[newest];
      if (!oldest || !isObject(message) || message === oldest) return body;
      const ids = [...oldest].filter(([key]) => ID_FIELDS.has(key));
      return new Map(body).set('messages', messages.with(newest, new Map([...message, ...ids])));
    },
  },
];

const ID_FIELDS = new Set(['prompt_token_ids', 'generation_token_ids', 'generation_log_probs']);

function redumped(tool: Json): Json {
  const fn = isObject(tool) ? tool.get('function') : undefined;
  if (!isObject(tool) || !isObject(fn)) return tool;
  const definition: JsonObject = new Map<string, Json>([
    ['name', fn.get('name') ?? null],
    ['description', fn.get('description') ?? null],
    ['parameters', fn.get('parameters') ?? null],
    ['strict', fn.get('strict') ?? false],
  ]);
  return new Map<string, Json>([
    ['type', 'function'],
    ['function', definition],
  ]);
}

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
