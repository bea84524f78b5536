import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { INTERNAL, jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { type Check, checkText, type Refusal } from '../refusal.ts';
import { errorBody } from '../vllm/error-body.ts';

/**
 * What NeMo-RL's bare FastAPI app on vLLM 0.25.1 makes of a refusal. A failed check of the request model is a ValueError to
 * pydantic (422), NeMo-RL catches later ones itself (400 without `param`), and what nobody catches is a 500 without a cause.
 */
export function answerTo(refusal: Refusal): HttpAnswer {
  switch (refusal.kind) {
    case 'fields':
      return unprocessable(refusal.details);
    case 'request':
      return unprocessable([entryOf(refusal.body, refusal.check)]);
    case 'check':
      return jsonAnswer(400, caught(checkText(refusal.check)));
    case 'response':
      return jsonAnswer(refusal.code, errorBody(refusal));
    case 'exception':
      return INTERNAL;
    case 'answer':
      return refusal.answer;
  }
}

/** FastAPI's answer to a request its model refuses; the details echo the input. */
const unprocessable = (details: readonly JsonObject[]): HttpAnswer =>
  jsonAnswer(422, new Map([['detail', [...details]]]));

function caught(message: string): JsonObject {
  const error = new Map<string, Json>([
    ['message', message],
    ['type', 'invalid_request_error'],
    ['code', new JsonNumber('400')],
  ]);
  return new Map([['error', error]]);
}

/** A `VLLMValidationError` inside pydantic: its text with the parameter, its attributes as context. */
function entryOf(body: JsonObject, check: Check): JsonObject {
  const { parameter, value } = check;
  const error = new Map<string, Json>([
    ['parameter', parameter ?? null],
    ['value', typeof value === 'number' ? new JsonNumber(String(value)) : (value ?? null)],
  ]);
  return new Map<string, Json>([
    ['type', 'value_error'],
    ['loc', ['body']],
    ['msg', `Value error, ${checkText(check)}`],
    ['input', body],
    ['ctx', new Map([['error', error]])],
  ]);
}
