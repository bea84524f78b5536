import { readBody } from '../fastapi/body.ts';
import { docsRoutes } from '../fastapi/docs.ts';
import { type Route, routed } from '../fastapi/routes.ts';
import type { HttpAnswer, HttpApp, HttpRequest } from '../http.ts';
import type { EmbeddedOptions } from '../options.ts';
import { startedChat } from '../vllm/start.ts';
import { VLLM_0_25 } from '../vllm/version-0.25.ts';
import { chatAnswer } from './chat.ts';
import { answerTo } from './errors.ts';
import { tokenFields } from './token-fields.ts';
import { tokenizeAnswer } from './tokenize.ts';

/**
 * NeMo-RL's vLLM chat server (NVIDIA-NeMo/RL 7ea279a on vLLM 0.25.1), with the teleprompter in closed form for an engine.
 * Throws {@link InvalidError} for parsers it does not emulate.
 */
export function nemoRlVllm(options: EmbeddedOptions): HttpApp {
  const chat = startedChat(options, VLLM_0_25, { tokensAsIds: true, messageFields: tokenFields });
  const docs = docsRoutes({
    server: 'nemo-rl-vllm',
    version: VLLM_0_25.name,
    posts: [
      ['/v1/chat/completions', 'Chat completion'],
      ['/tokenize', 'Tokenize'],
    ],
  });
  const handle = (request: HttpRequest): HttpAnswer => chatAnswer(readBody(request), options.sampling, chat);
  const routes: Record<string, Route> = {
    '/v1/chat/completions': { method: 'POST', handle },
    '/tokenize': { method: 'POST', handle: (request) => tokenizeAnswer(readBody(request), chat) },
    ...docs,
  };
  return routed(routes, answerTo);
}
