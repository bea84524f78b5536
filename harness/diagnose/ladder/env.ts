import type { JsonObject } from '../../json/value.ts';
import { isObject } from '../../json/value.ts';
import type { Step } from '../case.ts';
import { isAsIf, promptPair } from '../prompt.ts';

/**
 * ENV: the set-up differs, not the work. Another template, tokenizer or model is told before any token: goldens are refused
 * before a run begins (`goldens/load.ts`), lanes that are compared get a finding of their own (`compare/environment.ts`).
 */
export const env: Step = (found) => {
  const pair = promptPair(found);
  if (!pair || switchOf(found.request) !== undefined) return undefined;
  const setTo = [false, true].find((on) => isAsIf(found, pair, (request) => withThinking(request, on)));
  if (setTo === undefined) return undefined;
  const word = setTo ? 'on' : 'off';
  return {
    layer: 'ENV',
    cause: 'thinking-default',
    says: `thinking is switched ${word} by the server; the request does not say`,
    evidence: [
      `the prompt is the one of a request with enable_thinking: ${setTo}`,
      'look at the server’s default_chat_template_kwargs',
    ],
  };
};

/** enable_thinking as the request says it. */
export function switchOf(request: JsonObject | undefined): unknown {
  const kwargs = request?.get('chat_template_kwargs');
  return isObject(kwargs) ? kwargs.get('enable_thinking') : undefined;
}

const withThinking = (request: JsonObject, on: boolean): JsonObject =>
  request.set('chat_template_kwargs', new Map([['enable_thinking', on]]));
