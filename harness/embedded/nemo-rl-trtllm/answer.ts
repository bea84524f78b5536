import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { exception } from '../refusal.ts';
import { hex, int, now } from '../values.ts';

/** The whole body of a 200. */
export const bodyOf = (
  model: string,
  choice: JsonObject,
  { prompt, completion }: { prompt: number; completion: number },
): JsonObject =>
  new Map<string, Json>([
    ['id', `chatcmpl-${hex(12)}`],
    ['object', 'chat.completion'],
    ['created', now()],
    ['model', model],
    ['choices', [choice]],
    [
      'usage',
      new Map([
        ['prompt_tokens', int(prompt)],
        ['completion_tokens', int(completion)],
        ['total_tokens', int(prompt + completion)],
      ]),
    ],
  ]);

/** A 200, unless the body has no form: half a surrogate pair is no UTF-8, and Starlette prints no NaN. Throws for those. */
export function okAnswer(body: JsonObject, prompt: readonly Json[]): HttpAnswer {
  const answer = jsonAnswer(200, body);
  const hasForm = prompt.every((id) => !(id instanceof JsonNumber) || Number.isFinite(id.value));
  if (!hasForm) throw exception('an id that is not finite');
  if (typeof answer.body === 'string' && answer.body.isWellFormed()) return answer;
  throw exception('half of a surrogate pair');
}
