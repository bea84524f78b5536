import { isObject, type JsonObject } from '../../json/value.ts';
import {
  dictionary,
  flag,
  integer,
  list,
  literal,
  missing,
  nullable,
  number,
  type Reader,
  text,
  union,
} from '../fastapi/pydantic.ts';

const tool: Reader<JsonObject> = (value, loc, problems) => {
  const model = 'Input should be a valid dictionary or object to extract fields from';
  if (!isObject(value)) return problems.add('model_attributes_type', loc, model, value);
  const type = value.get('type');
  if (type !== undefined) literal('function')(type, [...loc, 'type'], problems);
  const fn = value.get('function');
  const inside = [...loc, 'function'];
  if (fn === undefined) missing(problems, inside, value);
  else if (!isObject(fn)) problems.add('model_attributes_type', inside, model, fn);
  else {
    const name = fn.get('name');
    if (name === undefined) missing(problems, [...inside, 'name'], fn);
    else text(name, [...inside, 'name'], problems);
    nullable(text)(fn.get('description') ?? null, [...inside, 'description'], problems);
    nullable(dictionary)(fn.get('parameters') ?? null, [...inside, 'parameters'], problems);
  }
  return value;
};

const EFFORTS = literal('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');

/** A tool choice: a word, or the name of the one function. */
export type ToolChoice = 'none' | 'auto' | 'required' | { name: string } | null;

const namedTool: Reader<ToolChoice> = (value, loc, problems) => {
  const fn = isObject(value) ? value.get('function') : undefined;
  const name = isObject(fn) ? fn.get('name') : undefined;
  if (typeof name === 'string') return { name };
  return problems.add('model_attributes_type', loc, 'Input should be a valid dictionary', value);
};

const toolChoice: Reader<ToolChoice> = union<ToolChoice>([
  ["literal['none']", literal('none')],
  ["literal['auto']", literal('auto')],
  ["literal['required']", literal('required')],
  ['ChatCompletionNamedToolChoiceParam', namedTool],
]);

const stop: Reader<string[]> = union<string[]>([
  [
    'str',
    (value, loc, problems) => (text(value, loc, problems) === undefined ? undefined : [value as string]),
  ], // text() said so
  ['list[str]', list(text)],
]);

/** The request's fields that change an answer, in the order of vLLM's model; the value is what an absent field means. */
export const FIELDS = {
  model: [nullable(text), null],
  frequency_penalty: [nullable(number), null],
  logit_bias: [nullable(dictionary), null],
  logprobs: [nullable(flag), false],
  top_logprobs: [nullable(integer), 0],
  max_tokens: [nullable(integer), null],
  max_completion_tokens: [nullable(integer), null],
  n: [nullable(integer), 1],
  presence_penalty: [nullable(number), null],
  response_format: [nullable(dictionary), null],
  seed: [nullable(integer), null],
  stop: [nullable(stop), []],
  stream: [nullable(flag), false],
  stream_options: [nullable(dictionary), null],
  temperature: [nullable(number), null],
  top_p: [nullable(number), null],
  tools: [nullable(list(tool)), null],
  tool_choice: [nullable(toolChoice), 'none'],
  reasoning_effort: [nullable(EFFORTS), null],
  include_reasoning: [flag, true],
  parallel_tool_calls: [nullable(flag), true],
  user: [nullable(text), null],
  top_k: [nullable(integer), null],
  min_p: [nullable(number), null],
  repetition_penalty: [nullable(number), null],
  stop_token_ids: [nullable(list(integer)), []],
  include_stop_str_in_output: [flag, false],
  ignore_eos: [flag, false],
  min_tokens: [integer, 0],
  skip_special_tokens: [flag, true],
  echo: [flag, false],
  add_generation_prompt: [flag, true],
  continue_final_message: [flag, false],
  documents: [nullable(list(dictionary)), null],
  chat_template: [nullable(text), null],
  chat_template_kwargs: [nullable(dictionary), null],
  structured_outputs: [nullable(dictionary), null],
  priority: [integer, 0],
  request_id: [text, undefined],
  return_tokens_as_token_ids: [nullable(flag), null],
  return_token_ids: [nullable(flag), null],
  cache_salt: [nullable(text), null],
} as const satisfies Record<string, readonly [Reader<unknown>, unknown]>;
