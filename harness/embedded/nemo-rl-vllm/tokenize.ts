import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { HttpAnswer } from '../http.ts';
import { int, ints } from './answer.ts';
import { truthy } from './before.ts';
import { internal, jsonAnswer } from './errors.ts';
import { checkModel } from './model.ts';
import { buildPrompt, checkTemplateTrust, type Renderer } from './prompt.ts';
import { readChatRequest } from './request.ts';
import type { Chat } from './started.ts';

/**
 * `/tokenize` for a prompt or for messages. Messages go through NeMo-RL's splice as in the chat route; there is no sampling
 * gate and no window check.
 */
export function tokenizeAnswer(body: Json, { renderer, model, maxModelLen }: Chat): HttpAnswer {
  if (!isObject(body)) throw internal('a validator calls .get on the body');
  const ids = tokensOf(body, renderer, model);
  const strings = truthy(body.get('return_token_strs'));
  return jsonAnswer(
    200,
    new Map<string, Json>([
      ['count', int(ids.length)],
      ['max_model_len', int(maxModelLen)],
      ['tokens', ints(ids)],
      ['token_strs', strings ? ids.map((id) => piece(renderer.tokenizer, id)) : null],
    ]),
  );
}

function tokensOf(body: JsonObject, renderer: Renderer, served: string): readonly number[] {
  const prompt = body.get('prompt');
  if (typeof prompt === 'string') {
    const model = body.get('model');
    checkModel(typeof model === 'string' ? model : null, served);
    return renderer.tokenizer.encode(prompt);
  }
  const request = readChatRequest(body);
  checkModel(request.model, served);
  checkTemplateTrust(request);
  return buildPrompt(request, renderer, () => undefined).ids;
}

const printable = (byte: number): boolean =>
  (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
const hidden = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !printable(byte));

/** A token as the vocabulary spells it: one printable stand-in per byte, added tokens as they are. */
function piece(tokenizer: ChatTokenizer, id: number): string {
  if (tokenizer.isAdded(id)) return tokenizer.decode([id]);
  const chars = [...tokenizer.bytes([id])].map((byte) =>
    String.fromCodePoint(printable(byte) ? byte : 256 + hidden.indexOf(byte)),
  );
  return chars.join('');
}
