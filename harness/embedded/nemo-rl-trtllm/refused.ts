import { INTERNAL, jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { type Refusal, type RefusedError, refusedAnswer } from '../refusal.ts';

/** NeMo-RL's own refusal: 400 with a text. */
export const refused = (text: string): RefusedError =>
  refusedAnswer(jsonAnswer(400, new Map([['error', text]])), text);

/** This server shapes no other refusal: what it does not answer itself is FastAPI's bare 500. */
export const answerTo = (refusal: Refusal): HttpAnswer =>
  refusal.kind === 'answer' ? refusal.answer : INTERNAL;
