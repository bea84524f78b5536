import type { Json } from '../../json/value.ts';
import { isObject } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { plantedFor, plantedPrompt, plantedRequest, plantedStatus } from '../planted.ts';
import { exception } from '../refusal.ts';
import { bodyOf } from '../vllm/answer.ts';
import { choice } from '../vllm/choice.ts';
import { guardGuided } from '../vllm/guided.ts';
import { checkModel } from '../vllm/model.ts';
import { checkTemplateTrust, checkVocabulary, templateKwargs, thinks } from '../vllm/prompt.ts';
import { checkSampling } from '../vllm/sampling.ts';
import { reply, withPlanted } from '../vllm/speech.ts';
import type { Chat } from '../vllm/started.ts';
import { streamed } from '../vllm/stream.ts';
import type { Told } from '../vllm/told.ts';
import { checkGate, type Gate } from './gate.ts';
import { buildPrompt } from './prompt.ts';
import { readNemoRequest } from './request.ts';
import { checkTokenFields } from './token-fields.ts';
import { checkTemplateFits, tokenBudget } from './window.ts';

/** One chat completion, in the real server's order of steps. Throws the answer of a step that refuses. */
export function chatAnswer(body: Json, gate: Gate, chat: Chat): HttpAnswer {
  if (!isObject(body)) throw exception('a validator calls .get on the body');
  const planted = plantedFor(chat.fault, chat.renderer.tokenizer, body);
  const request = readNemoRequest(plantedRequest(planted, body));
  checkGate(request, gate);
  plantedStatus(planted);
  checkModel(request.model, chat.model);
  checkTemplateTrust(request);
  const prompt = buildPrompt(request, chat.renderer, (template) =>
    checkTemplateFits(template, request, chat.maxModelLen),
  );
  const ids = plantedPrompt(planted, prompt);
  const spliced = prompt.prefix !== undefined;
  const maxTokens = tokenBudget({ length: ids.length, spliced }, request, chat.maxModelLen);
  checkSampling(request, maxTokens);
  checkVocabulary(ids);
  if (!request.stream) checkTokenFields(request);
  const generated = reply(ids, maxTokens, request, chat);
  guardGuided(request, generated.text);
  const told: Told = {
    prompt: ids,
    generated: withPlanted(generated, planted, request, chat),
    thinking: thinks(templateKwargs(request, chat.renderer.defaultKwargs)),
  };
  if (request.stream === true) return streamed(told, request, chat);
  const choices = Array.from({ length: request.n ?? 1 }, (_, index) =>
    choice(index, told, request, chat, planted),
  );
  const answer = bodyOf(told, choices, request, chat);
  return jsonAnswer(200, planted.fault?.answer?.(answer, planted.context) ?? answer);
}
