import type { Json, JsonObject } from '../json/value.ts';
import type { HttpAnswer } from './http.ts';

/** What vLLM's own check complains about; it appends parameter and value to its message. */
export interface Check {
  message: string;
  parameter?: string | undefined;
  value?: string | number | undefined;
}

/** Why a request ends in an error answer, before the server at hand gives it a shape. */
export type Refusal =
  /** The request model refuses fields: pydantic's entries. */
  | { kind: 'fields'; details: readonly JsonObject[] }
  /** A `VLLMValidationError` while the request model is built; `body` is the whole request. */
  | { kind: 'request'; body: JsonObject; check: Check }
  /** The same, raised later. */
  | { kind: 'check'; check: Check }
  /** vLLM's `ErrorResponse`, which keeps its own code. */
  | { kind: 'response'; code: number; type: string; param: Json; message: string }
  /** Any other exception: a reason of ours and, where it is a ValueError or a TypeError, Python's text. */
  | { kind: 'exception'; reason: string; text?: string; param?: string }
  /** An answer that no server shapes otherwise. */
  | { kind: 'answer'; answer: HttpAnswer; reason: string };

/** A request that ends in an error answer; thrown by any step, answered in one place. */
export class RefusedError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(reasonOf(refusal));
    this.name = 'RefusedError';
    this.refusal = refusal;
  }
}

export const refusedFields = (details: readonly JsonObject[]): RefusedError =>
  new RefusedError({ kind: 'fields', details });

export const refusedRequest = (body: JsonObject, check: Check): RefusedError =>
  new RefusedError({ kind: 'request', body, check });

export const refusedCheck = (check: Check): RefusedError => new RefusedError({ kind: 'check', check });

export const refusedResponse = (code: number, type: string, param: Json, message: string): RefusedError =>
  new RefusedError({ kind: 'response', code, type, param, message });

/** An exception no check foresaw. `text` is what a ValueError or a TypeError says; leave it out for other kinds. */
export const exception = (reason: string, text?: string, param?: string): RefusedError =>
  new RefusedError({
    kind: 'exception',
    reason,
    ...(text === undefined ? {} : { text }),
    ...(param === undefined ? {} : { param }),
  });

export const refusedAnswer = (answer: HttpAnswer, reason: string): RefusedError =>
  new RefusedError({ kind: 'answer', answer, reason });

/** vLLM's text of a failed check. */
export function checkText({ message, parameter, value }: Check): string {
  const details = [
    ...(parameter === undefined ? [] : [`parameter=${parameter}`]),
    ...(value === undefined ? [] : [`value=${value}`]),
  ];
  return details.length > 0 ? `${message} (${details.join(', ')})` : message;
}

function reasonOf(refusal: Refusal): string {
  if (refusal.kind === 'fields') return 'the request does not validate';
  if (refusal.kind === 'request' || refusal.kind === 'check') return checkText(refusal.check);
  return refusal.kind === 'response' ? refusal.message : refusal.reason;
}
