import { dumpsPythonCompact } from '../../json/print.ts';
import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';

export const JSON_TYPE = 'application/json';
export const PLAIN_TYPE = 'text/plain; charset=utf-8';

/** A request that ends in an error answer; thrown by any step, answered in one place. */
export class RefusedError extends Error {
  readonly answer: HttpAnswer;
  constructor(answer: HttpAnswer, reason: string) {
    super(reason);
    this.name = 'RefusedError';
    this.answer = answer;
  }
}

export const jsonAnswer = (status: number, body: Json): HttpAnswer => ({
  status,
  contentType: JSON_TYPE,
  body: dumpsPythonCompact(body),
});

/** What an assertion, a KeyError or a plain ValueError becomes: the cause stays in the real server's log. */
export function internal(reason: string): RefusedError {
  return new RefusedError(
    { status: 500, contentType: PLAIN_TYPE, body: 'Internal Server Error' },
    `500: ${reason}`,
  );
}

/** NeMo-RL's own catch of vLLM's validation errors: 400 without `param`. */
export function invalid(message: string, parameter?: string, value?: string | number): RefusedError {
  const details = [
    ...(parameter === undefined ? [] : [`parameter=${parameter}`]),
    ...(value === undefined ? [] : [`value=${value}`]),
  ];
  const text = details.length > 0 ? `${message} (${details.join(', ')})` : message;
  const error = new Map<string, Json>([
    ['message', text],
    ['type', 'invalid_request_error'],
    ['code', new JsonNumber('400')],
  ]);
  return new RefusedError(jsonAnswer(400, new Map([['error', error]])), text);
}

/** vLLM's `ErrorResponse`, which keeps its own code and names the parameter. */
export function errorResponse(code: number, type: string, param: Json, message: string): RefusedError {
  const error = new Map<string, Json>([
    ['message', message],
    ['type', type],
    ['param', param],
    ['code', new JsonNumber(String(code))],
  ]);
  return new RefusedError(jsonAnswer(code, new Map([['error', error]])), message);
}

/** FastAPI's answer to a request its model refuses; the details echo the input. */
export function unprocessable(details: readonly JsonObject[]): RefusedError {
  return new RefusedError(
    jsonAnswer(422, new Map([['detail', [...details]]])),
    'the request does not validate',
  );
}

/** FastAPI's `HTTPException` with a text. */
export const detail = (status: number, text: string): HttpAnswer =>
  jsonAnswer(status, new Map([['detail', text]]));
