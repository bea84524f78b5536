import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import type { Fault } from '../fault.ts';
import { VLLM } from '../kinds.ts';

/** Defects of what stands around the message. */
export const answerFaults: readonly Fault[] = [
  {
    name: 'wrong-finish-reason',
    about: 'calls and cuts are reported as an ordinary stop',
    choice: (choice) =>
      choice.get('finish_reason') === 'stop' ? choice : new Map(choice).set('finish_reason', 'stop'),
  },
  {
    name: 'finish-length-masked',
    about: 'a reply cut by its limit is reported as an ordinary stop',
    choice: (choice) =>
      choice.get('finish_reason') === 'length' ? new Map(choice).set('finish_reason', 'stop') : choice,
  },
  {
    name: 'logprobs-short',
    about: 'the last generated token has no log-prob',
    choice(choice) {
      const entries = entriesOf(choice);
      const out = entries ? withEntries(choice, entries.slice(0, -1)) : choice;
      const message = choice.get('message');
      const logprobs = isObject(message) ? message.get('generation_log_probs') : undefined;
      if (!isObject(message) || !Array.isArray(logprobs)) return out;
      const shorter = new Map(message).set('generation_log_probs', logprobs.slice(0, -1));
      return new Map(out).set('message', shorter);
    },
  },
  {
    name: 'logprob-not-greedy',
    about: 'an alternative of the first token is likelier than the token that was taken',
    servers: VLLM,
    choice(choice) {
      const [first, ...rest] = entriesOf(choice) ?? [];
      const alternatives = isObject(first) ? first.get('top_logprobs') : undefined;
      if (!isObject(first) || !Array.isArray(alternatives)) return choice;
      const [own, other, ...others] = alternatives;
      if (own === undefined || !isObject(other)) return choice;
      const likelier = new Map(other).set('logprob', new JsonNumber('-0.5'));
      return withEntries(choice, [new Map(first).set('top_logprobs', [own, likelier, ...others]), ...rest]);
    },
  },
  {
    name: 'usage-off-by-one',
    about: 'usage counts one generated token too many',
    answer(body) {
      const usage = body.get('usage');
      if (!isObject(usage)) return body;
      const more: JsonObject = new Map(usage);
      for (const key of ['completion_tokens', 'total_tokens']) more.set(key, plusOne(usage.get(key)));
      return new Map(body).set('usage', more);
    },
  },
];

function entriesOf(choice: JsonObject): Json[] | undefined {
  const logprobs = choice.get('logprobs');
  const content = isObject(logprobs) ? logprobs.get('content') : undefined;
  return Array.isArray(content) ? content : undefined;
}

const withEntries = (choice: JsonObject, entries: Json[]): JsonObject =>
  new Map(choice).set('logprobs', new Map([['content', entries]]));

const plusOne = (value: Json | undefined): Json =>
  value instanceof JsonNumber ? new JsonNumber(String(value.value + 1)) : (value ?? null);
