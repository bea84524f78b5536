import { InvalidError } from '../../errors.ts';
import { ChatTemplate } from '../../oracle/template.ts';
import { loadTokenizer } from '../../oracle/tokenizer.ts';
import { spokenBy } from '../../teleprompter/codebook.ts';
import type { HttpAnswer, HttpApp, HttpRequest } from '../http.ts';
import type { EmbeddedOptions } from '../options.ts';
import { readBody } from './body.ts';
import { chatAnswer } from './chat.ts';
import { docsPage, openApi } from './docs.ts';
import { detail, RefusedError } from './errors.ts';
import type { Parsers } from './reply.ts';
import type { Chat } from './started.ts';
import { tokenizeAnswer } from './tokenize.ts';

type Handle = (request: HttpRequest) => HttpAnswer;

/**
 * NeMo-RL's vLLM chat server (NVIDIA-NeMo/RL 7ea279a on vLLM 0.25.1), with the teleprompter in closed form for an engine.
 * Throws {@link InvalidError} for parsers it does not emulate.
 */
export function nemoRlVllm(options: EmbeddedOptions): HttpApp {
  const tokenizer = loadTokenizer();
  const template = new ChatTemplate(options.chatTemplate ?? tokenizer.chatTemplate);
  const renderer = { tokenizer, template, defaultKwargs: options.defaultChatTemplateKwargs };
  const chat: Chat = {
    renderer,
    parsers: parsersOf(options.parsers),
    gate: options.sampling,
    model: options.model,
    maxModelLen: options.maxModelLen,
    teleprompter: { lag: options.lag, spokenBy: spokenBy(options.codebook) },
    fault: options.fault,
  };
  const routes = new Map<string, { method: 'GET' | 'POST'; handle: Handle }>([
    ['/v1/chat/completions', { method: 'POST', handle: (request) => chatAnswer(readBody(request), chat) }],
    [
      '/tokenize',
      {
        method: 'POST',
        handle: (request) => tokenizeAnswer(readBody(request), chat),
      },
    ],
    ['/docs', { method: 'GET', handle: docsPage }],
    ['/openapi.json', { method: 'GET', handle: openApi }],
  ]);
  return (request) => {
    const route = routes.get(request.path);
    if (!route) return detail(404, 'Not Found');
    const allowed = request.method === route.method || (route.method === 'GET' && request.method === 'HEAD');
    if (!allowed) return { ...detail(405, 'Method Not Allowed'), headers: { allow: route.method } };
    try {
      return route.handle(request);
    } catch (error) {
      if (error instanceof RefusedError) return error.answer;
      throw error;
    }
  };
}

function parsersOf({ tool, reasoning }: EmbeddedOptions['parsers']): Parsers {
  if (tool !== null && tool !== 'hermes') {
    throw new InvalidError(`the embedded server does not emulate the tool parser '${tool}'`, {
      hint: 'it knows: hermes',
    });
  }
  if (reasoning !== null && reasoning !== 'qwen3') {
    throw new InvalidError(`the embedded server does not emulate the reasoning parser '${reasoning}'`, {
      hint: 'it knows: qwen3',
    });
  }
  return { tool, reasoning };
}
