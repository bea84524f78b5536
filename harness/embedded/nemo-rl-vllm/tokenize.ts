import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';
import { exception } from '../refusal.ts';
import { checkModel } from '../vllm/model.ts';
import { checkTemplateTrust, type Renderer } from '../vllm/prompt.ts';
import type { Chat } from '../vllm/started.ts';
import { tokensAnswer } from '../vllm/tokenize.ts';
import { buildPrompt } from './prompt.ts';
import { readNemoRequest } from './request.ts';

/**
 * `/tokenize` for a prompt or for messages. Messages go through NeMo-RL's splice as in the chat route; there is no sampling
 * gate and no window check.
 */
export function tokenizeAnswer(body: Json, { renderer, model, maxModelLen }: Chat): HttpAnswer {
  if (!isObject(body)) throw exception('a validator calls .get on the body');
  const ids = tokensOf(body, renderer, model);
  return tokensAnswer(ids, body, { tokenizer: renderer.tokenizer, maxModelLen });
}

function tokensOf(body: JsonObject, renderer: Renderer, served: string): readonly number[] {
  const prompt = body.get('prompt');
  if (typeof prompt === 'string') {
    const model = body.get('model');
    checkModel(typeof model === 'string' ? model : null, served);
    return renderer.tokenizer.encode(prompt);
  }
  const request = readNemoRequest(body);
  checkModel(request.model, served);
  checkTemplateTrust(request);
  return buildPrompt(request, renderer, () => undefined).ids;
}
