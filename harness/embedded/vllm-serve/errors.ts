import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { type Check, checkText, type Refusal } from '../refusal.ts';
import { errorBody } from '../vllm/error-body.ts';
import { repr } from '../vllm/python-repr.ts';

/**
 * What the handlers of vLLM's own API server make of a refusal (`vllm/entrypoints/serve/exception_handling`, 0.32.0): one
 * shape for all, 400 for whatever the client can be blamed for.
 */
export function answerTo(refusal: Refusal): HttpAnswer {
  switch (refusal.kind) {
    case 'fields':
      return fields(refusal.details);
    case 'request':
    case 'check':
      return failed(refusal.check);
    case 'response':
      return jsonAnswer(refusal.code, errorBody(refusal));
    case 'exception':
      return refusal.text === undefined
        ? error(500, 'InternalServerError', null, refusal.reason)
        : error(400, 'BadRequestError', refusal.param ?? null, refusal.text);
    case 'answer':
      return refusal.answer;
  }
}

const error = (code: number, type: string, param: Json, message: string): HttpAnswer =>
  jsonAnswer(code, errorBody({ code, type, param, message }));

const failed = (check: Check): HttpAnswer =>
  error(400, 'BadRequestError', check.parameter ?? null, checkText(check));

/** Entries of pydantic that an answer shows; the rest is counted. */
const SHOWN = 10;

/** The refusal of a request model: entries in one text, as Python prints dictionaries. */
function fields(details: readonly JsonObject[]): HttpAnswer {
  const [first] = details;
  const noun = details.length === 1 ? 'error' : 'errors';
  const lines = details.slice(0, SHOWN).map((entry) => `\n  ${repr(shortened(entry))}`);
  const more = details.length > SHOWN ? `\n  ...and ${details.length - SHOWN} more ${noun}` : '';
  const message = `${details.length} validation ${noun}:${lines.join('')}${more}`;
  return error(400, 'Bad Request', first ? path(first.get('loc')) : null, message);
}

function shortened(entry: JsonObject): JsonObject {
  return new Map([
    ...entry,
    ['loc', path(entry.get('loc'))],
    ['input', inputText(entry.get('input') ?? null)],
  ]);
}

/** Names of pydantic's own that are no field of anybody's request. */
const INNER = new Set(['str', 'int', 'float', 'bool', 'list', 'dict', 'arguments']);

/** Where a problem sits, without what pydantic adds for unions and wrappers; a field called `arguments` falls with them. */
function path(loc: Json | undefined): string {
  const steps = Array.isArray(loc)
    ? loc.map((step) => (step instanceof JsonNumber ? step.lexeme : String(step)))
    : [];
  return steps.filter((step) => !/[[\]{}()]/.test(step) && !INNER.has(step.toLowerCase())).join('.');
}

/** Characters of an input that an answer shows. */
const INPUT = 200;

function inputText(input: Json): string {
  if (Array.isArray(input)) return `<list of ${input.length} items>`;
  if (input instanceof Map) return `<dict of ${input.size} items>`;
  const points = [...(typeof input === 'string' ? input : repr(input))];
  return points.length > INPUT ? `${points.slice(0, INPUT).join('')}...[truncated]` : points.join('');
}
