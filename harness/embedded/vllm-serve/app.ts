import type { Json } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import { readBody } from '../fastapi/body.ts';
import { docsRoutes } from '../fastapi/docs.ts';
import { type Route, routed } from '../fastapi/routes.ts';
import type { HttpAnswer, HttpApp, HttpRequest } from '../http.ts';
import type { EmbeddedOptions } from '../options.ts';
import { refusedResponse } from '../refusal.ts';
import { startedChat } from '../vllm/start.ts';
import type { Chat } from '../vllm/started.ts';
import { VLLM_0_32 } from '../vllm/version-0.32.ts';
import { chatAnswer } from './chat.ts';
import { completionsAnswer } from './completions.ts';
import { answerTo } from './errors.ts';
import { generateAnswer, generateDisabled } from './generate-tokens.ts';
import { modelsAnswer } from './models.ts';
import { detokenizeAnswer, tokenizeAnswer } from './tokenize.ts';

/**
 * Plain `vllm serve` (0.32.0, `--generation-config vllm`), with the teleprompter in closed form for an engine. There is no
 * sampling gate and no splice: history is always rendered anew. Throws {@link InvalidError} for parsers it does not emulate.
 */
export function vllmServe(options: EmbeddedOptions): HttpApp {
  const chat = startedChat(options, VLLM_0_32, { tokensAsIds: false, messageFields: () => [] });
  const post = (answer: (body: Json, chat: Chat) => HttpAnswer): Route => ({
    method: 'POST',
    handle(request) {
      checkMediaType(request);
      return answer(readBody(request), chat);
    },
  });
  const get = (answer: HttpAnswer | (() => HttpAnswer)): Route => ({
    method: 'GET',
    handle: () => (typeof answer === 'function' ? answer() : answer),
  });
  const routes: Record<string, Route> = {
    '/v1/chat/completions': post(chatAnswer),
    '/v1/completions': post(completionsAnswer),
    '/inference/v1/generate': post(options.scaleOut === true ? generateAnswer : generateDisabled),
    '/tokenize': post(tokenizeAnswer),
    '/detokenize': post(detokenizeAnswer),
    '/health': get(EMPTY),
    '/ping': get(EMPTY),
    '/version': get(jsonAnswer(200, new Map([['version', VLLM_0_32.name]]))),
    '/v1/models': get(() => modelsAnswer(chat)),
    ...docsRoutes({
      server: 'vllm-serve',
      version: VLLM_0_32.name,
      posts: [
        ['/v1/chat/completions', 'Chat completion'],
        ['/v1/completions', 'Completion'],
        ['/inference/v1/generate', 'Ids in, ids out'],
        ['/tokenize', 'Tokenize'],
        ['/detokenize', 'Detokenize'],
      ],
    }),
  };
  return routed(routes, answerTo);
}

/** Alive: 200 with nothing in it. */
const EMPTY: HttpAnswer = { status: 200, body: '' };

/** Nothing but JSON is read, and it must be called so. */
function checkMediaType({ contentType = '' }: HttpRequest): void {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.trim() === 'application/json') return;
  const message = "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed";
  throw refusedResponse(400, 'Bad Request', null, message);
}
