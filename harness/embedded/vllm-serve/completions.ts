import type { Json, JsonObject } from '../../json/value.ts';
import { textVllm } from '../../oracle/detokenize.ts';
import { detail, jsonAnswer } from '../fastapi/answers.ts';
import { type Generated, generate } from '../generate.ts';
import type { HttpAnswer } from '../http.ts';
import { refusedAnswer } from '../refusal.ts';
import { hex, int, ints, now } from '../values.ts';
import { SAMPLED, tokenText } from '../vllm/logprobs.ts';
import { checkVocabulary } from '../vllm/prompt.ts';
import { objectBody } from '../vllm/request.ts';
import { stopRules } from '../vllm/speech.ts';
import type { Chat } from '../vllm/started.ts';
import { type CompletionRequest, readCompletion } from './completion-request.ts';
import { usageOf } from './generate-tokens.ts';
import { checkModel } from './model.ts';
import { checkSampling } from './sampling.ts';
import { checkOutputFits, checkPromptFits, tokenBudget } from './window.ts';

/** A prompt and what was generated after it. */
interface Completed {
  prompt: readonly number[];
  generated: Generated;
}

/**
 * `/v1/completions` for texts or ids, ids on request. No parser runs; special tokens are left out of the text. Streams are
 * not emulated (501). Throws a refusal.
 */
export function completionsAnswer(input: Json, chat: Chat): HttpAnswer {
  const { renderer, model, maxModelLen, teleprompter } = chat;
  const request = readCompletion(objectBody(input));
  if (request.stream === true) {
    const reason = 'parity-embedded does not emulate streams of /v1/completions';
    throw refusedAnswer(detail(501, reason), reason);
  }
  checkModel(request.model, model);
  checkOutputFits({ max_tokens: request.max_tokens, max_completion_tokens: null }, maxModelLen);
  const prompts = request.prompts.map((prompt) =>
    typeof prompt === 'string' ? renderer.tokenizer.encode(prompt) : prompt,
  );
  const toText = (ids: readonly number[]): string =>
    textVllm(renderer.tokenizer, ids, false, { skipSpecial: request.skip_special_tokens });
  const completed = prompts.flatMap((prompt): Completed[] => {
    checkPromptFits(prompt.length, maxModelLen);
    const maxTokens = tokenBudget(prompt.length, request.max_tokens, maxModelLen);
    checkSampling(request, maxTokens, request.logprobs ?? 0);
    checkVocabulary(prompt);
    const generated = generate(teleprompter, prompt, stopRules(request, maxTokens), toText);
    return Array.from({ length: request.n ?? 1 }, () => ({ prompt, generated }));
  });
  return jsonAnswer(200, bodyOf(completed, prompts, request, chat));
}

function bodyOf(
  completed: readonly Completed[],
  prompts: readonly (readonly number[])[],
  request: CompletionRequest,
  { model, version, renderer }: Chat,
): JsonObject {
  const shown = (ids: readonly number[]): Json => (request.return_token_ids === true ? ints(ids) : null);
  const choices = completed.map(({ prompt, generated: { ids, text, finish, stopReason } }, index) => {
    const before = request.echo ? renderer.tokenizer.decode(prompt) : '';
    return new Map<string, Json>([
      ['index', int(index)],
      ['text', before + text],
      ['logprobs', request.logprobs === null ? null : logprobsOf(ids, namesOf(request, renderer))],
      ['finish_reason', finish],
      ['stop_reason', typeof stopReason === 'number' ? int(stopReason) : stopReason],
      ['token_ids', shown(ids)],
      ['prompt_logprobs', null],
      ['prompt_token_ids', shown(prompt)],
      ['routed_experts', null],
    ]);
  });
  return new Map<string, Json>([
    ['id', `cmpl-${hex(16)}`],
    ['object', 'text_completion'],
    ['created', now()],
    ['model', model],
    ['choices', choices],
    ['service_tier', null],
    ['system_fingerprint', version.fingerprint],
    ['usage', usageOf(sum(prompts), sum(completed.map(({ generated }) => generated.ids)))],
    ['kv_transfer_params', null],
    ['ec_transfer_params', null],
    ['metrics', null],
  ]);
}

type TextOf = (ids: readonly number[], index: number) => string;
const namesOf =
  (request: CompletionRequest, { tokenizer }: Chat['renderer']): TextOf =>
  (ids, index) =>
    request.return_tokens_as_token_ids === true ? `token_id:${ids[index]}` : tokenText(tokenizer, ids, index);

/** Log-probs by token, the sampled one as its only alternative: which others were likely is not closed form. */
function logprobsOf(ids: readonly number[], textOf: TextOf): JsonObject {
  const tokens = ids.map((_, index) => textOf(ids, index));
  let offset = 0;
  const offsets = tokens.map((text) => {
    const at = offset;
    offset += [...text].length; // Python counts code points
    return int(at);
  });
  return new Map<string, Json>([
    ['text_offset', offsets],
    ['token_logprobs', tokens.map(() => SAMPLED)],
    ['tokens', tokens],
    ['top_logprobs', tokens.map((text) => new Map([[text, SAMPLED]]))],
  ]);
}

const sum = (lists: readonly (readonly number[])[]): number =>
  lists.reduce((total, { length }) => total + length, 0);
