import { isObject, type Json } from '../../json/value.ts';
import { finite } from '../read-chat.ts';
import type { Sampled } from './api.ts';

/** `choices[].logprobs` as `/v1/completions` spells them: parallel lists; tokens are texts, or `token_id:N` on request. */
export function completionLogprobs(value: Json | undefined): Sampled[] | undefined {
  if (!isObject(value)) return undefined;
  const list = (key: string): Json[] => {
    const found = value.get(key);
    return Array.isArray(found) ? found : [];
  };
  const tokens = list('tokens');
  const top = list('top_logprobs');
  return list('token_logprobs').map((logprob, index) => {
    const others = top[index];
    const alternatives = isObject(others) ? [...others] : [];
    return {
      id: namedId(tokens[index]),
      logprob: finite(logprob),
      alternatives: alternatives.map(([token, other]) => ({ token, logprob: finite(other) })),
    };
  });
}

function namedId(token: Json | undefined): number | undefined {
  const [, digits] = typeof token === 'string' ? (/^token_id:(\d+)$/.exec(token) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}
