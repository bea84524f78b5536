import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { chatDialect, type Reading } from './dialect.ts';
import { chatAnswer, commonFields, idList, numberList } from './read-chat.ts';
import { chatRequest, spokenMessage } from './write-chat.ts';

/** Values that change nothing, where the model's own generation config would otherwise speak for a request that is silent. */
export const NEUTRAL: readonly (readonly [string, string])[] = [
  ['top_k', '-1'],
  ['min_p', '0.0'],
  ['repetition_penalty', '1.0'],
  ['presence_penalty', '0.0'],
  ['frequency_penalty', '0.0'],
];

/**
 * Plain `vllm serve`. Ids come on request, beside the message; history is always rendered anew, so a message sent back carries
 * none.
 */
export const vllmServe = chatDialect({
  name: 'vllm-serve',
  histories: ['rerendered'],
  path: '/v1/chat/completions',

  request(turn) {
    const body = chatRequest(turn);
    for (const [name, value] of NEUTRAL) body.set(name, new JsonNumber(value));
    body.set('return_token_ids', true);
    // Alternatives by id: two tokens can have the same text.
    return body.set('return_tokens_as_token_ids', true);
  },

  read(status, text) {
    const answer = chatAnswer(status, text);
    if (!answer.ok) return { reading: answer.reading };
    const reading: Reading = commonFields(answer);
    const prompt = idList(answer.body.get('prompt_token_ids'));
    const generation = idList(answer.choice.get('token_ids'));
    const logprobs = numberList(sampledLogprobs(answer.choice));
    if (prompt) reading.prompt_token_ids = prompt;
    if (generation) reading.generation_token_ids = generation;
    if (logprobs) reading.logprobs = logprobs;
    return { reading, message: answer.message };
  },

  echo: spokenMessage,
});

/** Log-prob of every generated token, null for an entry without one. */
function sampledLogprobs(choice: JsonObject): Json[] | undefined {
  const logprobs = choice.get('logprobs');
  const entries = isObject(logprobs) ? logprobs.get('content') : undefined;
  if (!Array.isArray(entries)) return undefined;
  return entries.map((entry) => (isObject(entry) ? (entry.get('logprob') ?? null) : null));
}
