import type { Json, JsonObject } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import {
  dictionary,
  flag,
  integer,
  list,
  nullable,
  Problems,
  type Reader,
  text,
} from '../fastapi/pydantic.ts';
import type { HttpAnswer } from '../http.ts';
import { refusedFields } from '../refusal.ts';
import { int } from '../values.ts';
import { FIELDS } from '../vllm/fields.ts';
import { checkTemplateTrust, rendering } from '../vllm/prompt.ts';
import { type Fields, objectBody, readFields } from '../vllm/request.ts';
import type { Chat } from '../vllm/started.ts';
import { tokensAnswer } from '../vllm/tokenize.ts';
import { checkModel } from './model.ts';

/** Fields of `/tokenize` for messages; a chat request's others are read over. */
const CHAT_FIELDS = {
  model: FIELDS.model,
  add_generation_prompt: FIELDS.add_generation_prompt,
  continue_final_message: FIELDS.continue_final_message,
  chat_template: FIELDS.chat_template,
  chat_template_kwargs: [nullable(dictionary), null],
  tools: FIELDS.tools,
  return_token_strs: [nullable(flag), null],
} as const satisfies Fields;

/** `/tokenize` for a prompt or for messages, without a window check. Throws a refusal. */
export function tokenizeAnswer(input: Json, chat: Chat): HttpAnswer {
  const body = objectBody(input);
  const { tokenizer } = chat.renderer;
  return tokensAnswer(tokensOf(body, chat), body, { tokenizer, maxModelLen: chat.maxModelLen });
}

function tokensOf(body: JsonObject, { renderer, model }: Chat): readonly number[] {
  const prompt = body.get('prompt');
  if (typeof prompt === 'string') {
    checkModel(modelOf(body), model);
    return renderer.tokenizer.encode(prompt);
  }
  if (!body.has('messages')) throw refusedFields(neither(body));
  const request = { ...readFields(body, CHAT_FIELDS), reasoning_effort: null };
  checkModel(request.model, model);
  checkTemplateTrust(request);
  return rendering(request, renderer).all();
}

/** A body that is a request for neither a prompt nor messages. */
function neither(body: JsonObject): readonly JsonObject[] {
  const problems = new Problems();
  const prompt = body.get('prompt');
  if (prompt === undefined) problems.add('missing', ['body', 'prompt'], 'Field required', body);
  else text(prompt, ['body', 'prompt'], problems);
  problems.add('missing', ['body', 'messages'], 'Field required', body);
  return problems.details;
}

const modelOf = (body: JsonObject): string | null => {
  const model = body.get('model');
  return typeof model === 'string' ? model : null;
};

const tokenId: Reader<number> = (value, loc, problems) => {
  const id = integer(value, loc, problems);
  if (id === undefined || id >= 0) return id;
  const ctx = new Map([['ge', int(0)]]);
  return problems.add('greater_than_equal', loc, 'Input should be greater than or equal to 0', value, ctx);
};

/** `/detokenize`: the text of ids, special tokens spelled out, unknown ids as nothing. Throws a refusal. */
export function detokenizeAnswer(input: Json, { renderer, model }: Chat): HttpAnswer {
  const body = objectBody(input);
  const problems = new Problems();
  const given = body.get('tokens');
  const ids =
    given === undefined
      ? problems.add('missing', ['body', 'tokens'], 'Field required', body)
      : list(tokenId)(given, ['body', 'tokens'], problems);
  if (ids === undefined) throw refusedFields(problems.details);
  checkModel(modelOf(body), model);
  return jsonAnswer(200, new Map([['prompt', renderer.tokenizer.decode(ids)]]));
}
