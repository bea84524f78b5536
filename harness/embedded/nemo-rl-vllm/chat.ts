import { isObject, type Json } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';
import { bodyOf, carriesIds } from './answer.ts';
import { choice, sourceOf, type Told } from './choice.ts';
import { internal, invalid, jsonAnswer } from './errors.ts';
import { checkGate } from './gate.ts';
import { guardGuided } from './guided.ts';
import { checkModel } from './model.ts';
import { plantedFor, plantedPrompt, plantedRequest, plantedStatus } from './planted.ts';
import { buildPrompt, checkTemplateTrust, checkVocabulary, templateKwargs, thinks } from './prompt.ts';
import { type ChatRequest, readChatRequest } from './request.ts';
import { checkSampling } from './sampling.ts';
import { reply, withPlanted } from './speech.ts';
import type { Chat } from './started.ts';
import { streamed } from './stream.ts';
import { checkTemplateFits, tokenBudget } from './window.ts';

/** One chat completion, in the real server's order of steps. Throws the answer of a step that refuses. */
export function chatAnswer(body: Json, chat: Chat): HttpAnswer {
  if (!isObject(body)) throw internal('a validator calls .get on the body');
  const planted = plantedFor(chat.fault, chat.renderer.tokenizer, body);
  const request = readChatRequest(plantedRequest(planted, body));
  checkGate(request, chat.gate);
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
  if (request.stream === true) return streamed(sourceOf(told, request, chat), request);
  const choices = Array.from({ length: request.n ?? 1 }, (_, index) =>
    choice(index, told, request, chat, planted),
  );
  const completion = told.generated.ids.length * choices.length;
  const answer = bodyOf(chat.model, request, { prompt: ids, choices, completion });
  return jsonAnswer(200, planted.fault?.answer?.(answer, planted.context) ?? answer);
}

/** NeMo-RL's own demand where it is to put ids on the message. */
function checkTokenFields(request: ChatRequest): void {
  if (!carriesIds(request) || request.top_logprobs !== null) return;
  const message =
    '`top_logprobs` must be set when requesting token information from the NeMo-RL chat endpoint.';
  throw invalid(message, 'top_logprobs');
}
