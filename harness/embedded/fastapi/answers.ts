import { dumpsPythonCompact } from '../../json/print.ts';
import type { Json } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';

export const JSON_TYPE = 'application/json';
export const PLAIN_TYPE = 'text/plain; charset=utf-8';

export const jsonAnswer = (status: number, body: Json): HttpAnswer => ({
  status,
  contentType: JSON_TYPE,
  body: dumpsPythonCompact(body),
});

/** What FastAPI answers for an exception that nothing handles: the cause stays in the server's log. */
export const INTERNAL: HttpAnswer = { status: 500, contentType: PLAIN_TYPE, body: 'Internal Server Error' };

/** FastAPI's `HTTPException` with a text. */
export const detail = (status: number, text: string): HttpAnswer =>
  jsonAnswer(status, new Map([['detail', text]]));
