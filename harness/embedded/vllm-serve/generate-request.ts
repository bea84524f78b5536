import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { flag, integer, list, literal, nullable, type Reader, text } from '../fastapi/pydantic.ts';
import { FIELDS } from '../vllm/fields.ts';
import { type Fields, MISSING, type Model, objectBody, readInto, readModel } from '../vllm/request.ts';

/** At least one id, none below 0. */
const promptIds: Reader<number[]> = (value, loc, problems) => {
  const ids = list(integer)(value, loc, problems);
  if (ids === undefined) return undefined;
  if (ids.length === 0) {
    const message = 'List should have at least 1 item after validation, not 0';
    return problems.add('too_short', loc, message, value, SHORT);
  }
  if (ids.every((id) => id >= 0)) return ids;
  return problems.add('value_error', loc, 'Value error, token_ids must not contain negative values', value);
};

const SHORT: JsonObject = new Map<string, Json>([
  ['field_type', 'List'],
  ['min_length', new JsonNumber('1')],
  ['actual_length', new JsonNumber('0')],
]);

/** Unknown keys are read over, in `sampling_params` too. */
const SAMPLING_FIELDS = {
  n: [integer, 1],
  temperature: FIELDS.temperature,
  top_p: FIELDS.top_p,
  top_k: FIELDS.top_k,
  min_p: FIELDS.min_p,
  repetition_penalty: FIELDS.repetition_penalty,
  presence_penalty: FIELDS.presence_penalty,
  frequency_penalty: FIELDS.frequency_penalty,
  max_tokens: [nullable(integer), null],
  min_tokens: FIELDS.min_tokens,
  logprobs: [nullable(integer), null],
  stop: FIELDS.stop,
  stop_token_ids: FIELDS.stop_token_ids,
  ignore_eos: FIELDS.ignore_eos,
  include_stop_str_in_output: FIELDS.include_stop_str_in_output,
} as const satisfies Fields;

export type TokenSampling = Model<typeof SAMPLING_FIELDS>;

const sampling: Reader<TokenSampling> = (value, loc, problems) => {
  if (!isObject(value)) return problems.add('dataclass_type', loc, 'Input should be a dictionary', value);
  return readInto(value, SAMPLING_FIELDS, loc, problems);
};

const GENERATE_FIELDS = {
  token_ids: [promptIds, MISSING],
  sampling_params: [sampling, MISSING],
  request_id: [nullable(text), null],
  model: FIELDS.model,
  return_token_ids: [nullable(flag), null],
  output_mode: [literal('tokens', 'text'), 'tokens'],
  stream: FIELDS.stream,
} as const satisfies Fields;

export type GenerateRequest = Model<typeof GENERATE_FIELDS>;

/** Reads a request of `/inference/v1/generate`. Throws a refusal. */
export const readGenerate = (body: Json): GenerateRequest => readModel(objectBody(body), GENERATE_FIELDS);
