import type { Json, JsonObject } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { plantedFor, plantedPrompt, plantedRequest, plantedStatus } from '../planted.ts';
import { bodyOf } from '../vllm/answer.ts';
import { choice } from '../vllm/choice.ts';
import { checkTemplateTrust, rendering, templateKwargs, thinks } from '../vllm/prompt.ts';
import { objectBody } from '../vllm/request.ts';
import { reply, withPlanted } from '../vllm/speech.ts';
import type { Chat } from '../vllm/started.ts';
import { streamed } from '../vllm/stream.ts';
import type { Told } from '../vllm/told.ts';
import { guardGrammar } from './grammar.ts';
import { checkModel } from './model.ts';
import { readServeRequest } from './request.ts';
import { checkSampling } from './sampling.ts';
import { checkOutputFits, checkPromptFits, tokenBudget } from './window.ts';

/** One chat completion, in the real server's order of steps: history is always rendered anew. Throws a refusal. */
export function chatAnswer(body: Json, chat: Chat): HttpAnswer {
  const planted = plantedFor(chat.fault, chat.renderer.tokenizer, objectBody(body));
  const request = readServeRequest(plantedRequest(planted, objectBody(body)));
  plantedStatus(planted);
  checkModel(request.model, chat.model);
  checkTemplateTrust(request);
  checkOutputFits(request, chat.maxModelLen);
  const template = rendering(request, chat.renderer).all();
  checkPromptFits(template.length, chat.maxModelLen);
  const prompt = plantedPrompt(planted, { ids: template, template, templatePrefix: [], prefix: undefined });
  const requested = request.max_completion_tokens ?? request.max_tokens;
  const maxTokens = tokenBudget(prompt.length, requested, chat.maxModelLen);
  checkSampling(request, maxTokens, request.logprobs === true ? request.top_logprobs : 0);
  const thinking = thinks(templateKwargs(request, chat.renderer.defaultKwargs));
  const generated = reply(prompt, maxTokens, request, chat);
  guardGrammar(generated.text, request, thinking, chat);
  const told: Told = { prompt, generated: withPlanted(generated, planted, request, chat), thinking };
  if (request.stream === true) return streamed(told, request, chat);
  const choices = Array.from({ length: request.n ?? 1 }, (_, index) =>
    choice(index, told, request, chat, planted),
  );
  const answer = withPromptText(bodyOf(told, choices, request, chat), told, request, chat);
  return jsonAnswer(200, planted.fault?.answer?.(answer, planted.context) ?? answer);
}

function withPromptText(
  answer: JsonObject,
  { prompt }: Told,
  request: ReturnType<typeof readServeRequest>,
  { renderer }: Chat,
): JsonObject {
  if (request.return_prompt_text !== true) return answer;
  return new Map(answer).set('prompt_text', renderer.tokenizer.decode(prompt));
}
