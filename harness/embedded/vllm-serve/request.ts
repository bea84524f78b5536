import type { Json } from '../../json/value.ts';
import { flag, integer, nullable, type Reader } from '../fastapi/pydantic.ts';
import { FIELDS } from '../vllm/fields.ts';
import { type Fields, objectBody, type Request, readChatRequest } from '../vllm/request.ts';

/** From 0.32 on null means 0 here. */
const topLogprobs: Reader<number> = (value, loc, problems) =>
  value === null ? 0 : integer(value, loc, problems);

/** vLLM 0.32's fields as far as they show in an answer: those of 0.25.1 and a few more. */
export const SERVE_FIELDS = {
  ...FIELDS,
  top_logprobs: [topLogprobs, 0],
  return_prompt_text: [nullable(flag), null],
} as const satisfies Fields;

export type ServeRequest = Request<typeof SERVE_FIELDS>;

/** Reads a chat request as plain vLLM does; keys it does not know, token ids among them, are read over. Throws a refusal. */
export const readServeRequest = (body: Json): ServeRequest => readChatRequest(objectBody(body), SERVE_FIELDS);
