import { ChatTemplate } from '../../oracle/template.ts';
import { loadTokenizer, STOP_IDS } from '../../oracle/tokenizer.ts';
import { spokenBy } from '../../teleprompter/codebook.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import { readBytes } from '../fastapi/bytes.ts';
import { routed } from '../fastapi/routes.ts';
import type { HttpApp } from '../http.ts';
import type { EmbeddedOptions } from '../options.ts';
import { chatAnswer } from './chat.ts';
import { trtllmDocs } from './docs.ts';
import { reasoningParserOf, toolParserOf } from './parsers.ts';
import { answerTo } from './refused.ts';
import type { Chat } from './started.ts';

/**
 * NeMo-RL's TRT-LLM chat server (NVIDIA-NeMo/RL 7ea279a, TensorRT-LLM near 1.3.0rc21), with the teleprompter in closed form for
 * an engine. Throws {@link InvalidError} for parsers it does not emulate.
 */
export function nemoRlTrtllm(options: EmbeddedOptions): HttpApp {
  const chat = started(options);
  return routed(
    {
      ...trtllmDocs,
      '/health': { method: 'GET', handle: () => jsonAnswer(200, new Map([['status', 'ok']])) },
      '/v1/chat/completions': { method: 'POST', handle: ({ body }) => chatAnswer(readBytes(body), chat) },
    },
    answerTo,
  );
}

function started(options: EmbeddedOptions): Chat {
  const tokenizer = loadTokenizer();
  const { sampling, trtllm = {}, parsers } = options;
  return {
    tokenizer,
    template: new ChatTemplate(options.chatTemplate ?? tokenizer.chatTemplate),
    templateKwargs: new Map([['enable_thinking', true], ...(options.defaultChatTemplateKwargs ?? [])]),
    toolParser: toolParserOf(parsers.tool),
    reasoningParser: reasoningParserOf(parsers.reasoning),
    gate: { ...sampling.train, top_k: trtllm.topK ?? null },
    stopIds: new Set([...STOP_IDS, ...(trtllm.stopTokenIds ?? [])]),
    model: options.model,
    maxSeqLen: options.maxModelLen,
    maxNumTokens: trtllm.maxNumTokens ?? Number.POSITIVE_INFINITY,
    teleprompter: { lag: options.lag, spokenBy: spokenBy(options.codebook) },
    fault: options.fault,
  };
}
