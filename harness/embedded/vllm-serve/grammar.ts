import { isJson } from '../../json/is-json.ts';
import { detail } from '../fastapi/answers.ts';
import { refusedAnswer } from '../refusal.ts';
import { isGuided } from '../vllm/reply.ts';
import type { ChatRequest } from '../vllm/request.ts';
import type { Chat } from '../vllm/started.ts';

const REASON = 'parity-embedded does not emulate grammar-guided decoding';

/**
 * From 0.32 on the engine knows the reasoning parser, so a grammar begins where thinking ends, and `parallel_tool_calls: false`
 * is one too. The closed form cannot choose among masked tokens: what the grammar would surely let through is answered, the
 * rest is a 501, which the real server never sends.
 */
export function guardGrammar(text: string, request: ChatRequest, thinking: boolean, chat: Chat): void {
  const { parsers, version, renderer } = chat;
  const split = version.split(text, thinking && parsers.reasoning !== null, renderer.tokenizer);
  const content = split.content ?? '';
  if (content === '') return;
  const refused = refusedAnswer(detail(501, REASON), REASON);
  if (forcesCall(request)) throw refused;
  if (isGuided(request) && !isJson(content)) throw refused;
  const oneCall = request.parallel_tool_calls === false && request.tools !== null && parsers.tool !== null;
  if (oneCall && content.includes('<tool_call>')) throw refused;
}

/** A forced call follows a grammar of tagged calls, not one of JSON. */
const forcesCall = ({ tool_choice: choice }: ChatRequest): boolean =>
  choice === 'required' || (choice !== null && typeof choice === 'object');
