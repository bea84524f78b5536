import type { Json, JsonObject } from '../../json/value.ts';
import { integer, list, nullable, Problems, type Reader, text } from '../fastapi/pydantic.ts';
import { exception, refusedCheck } from '../refusal.ts';
import { FIELDS } from '../vllm/fields.ts';
import { type Fields, type Model, readModel } from '../vllm/request.ts';

/** One prompt: a text, or ids. */
export type CompletionPrompt = string | readonly number[];

/** The four shapes of a prompt in the order in which pydantic tries them; null for none. */
const prompts: Reader<readonly CompletionPrompt[]> = (value, loc, problems) => {
  const shapes: readonly ((own: Problems) => readonly CompletionPrompt[] | undefined)[] = [
    (own) => one(list(integer)(value, loc, own)),
    (own) => list(list(integer))(value, loc, own),
    (own) => one(text(value, loc, own)),
    (own) => list(text)(value, loc, own),
  ];
  const all: JsonObject[] = [];
  for (const shape of shapes) {
    const own = new Problems();
    const read = shape(own);
    if (read !== undefined && own.details.length === 0) return read;
    all.push(...own.details);
  }
  problems.details.push(...all);
  return undefined;
};

const one = (prompt: CompletionPrompt | undefined): readonly CompletionPrompt[] | undefined =>
  prompt === undefined ? undefined : [prompt];

const COMPLETION_FIELDS = {
  model: FIELDS.model,
  prompt: [nullable(prompts), null],
  echo: [nullable(FIELDS.echo[0]), false],
  frequency_penalty: FIELDS.frequency_penalty,
  logprobs: [nullable(integer), null],
  max_tokens: [nullable(integer), 16],
  n: [integer, 1],
  presence_penalty: FIELDS.presence_penalty,
  stop: FIELDS.stop,
  stream: FIELDS.stream,
  temperature: FIELDS.temperature,
  top_p: FIELDS.top_p,
  top_k: FIELDS.top_k,
  min_p: FIELDS.min_p,
  repetition_penalty: FIELDS.repetition_penalty,
  stop_token_ids: FIELDS.stop_token_ids,
  include_stop_str_in_output: FIELDS.include_stop_str_in_output,
  ignore_eos: FIELDS.ignore_eos,
  min_tokens: FIELDS.min_tokens,
  skip_special_tokens: FIELDS.skip_special_tokens,
  return_tokens_as_token_ids: FIELDS.return_tokens_as_token_ids,
  return_token_ids: FIELDS.return_token_ids,
} as const satisfies Fields;

export type CompletionRequest = Model<typeof COMPLETION_FIELDS> & { prompts: readonly CompletionPrompt[] };

/** Reads a completion request; the prompt must be there and hold something. Throws a refusal. */
export function readCompletion(body: JsonObject): CompletionRequest {
  const prompt: Json = body.get('prompt') ?? null;
  if (prompt === null || prompt === '') {
    throw refusedCheck({
      message: 'Either prompt or prompt_embeds must be provided and non-empty.',
      parameter: 'prompt',
    });
  }
  if (Array.isArray(prompt) && prompt.length === 0) {
    throw exception('no prompt', 'You must pass at least one prompt');
  }
  const request = readModel(body, COMPLETION_FIELDS);
  return { ...request, prompts: request.prompt ?? [] };
}
