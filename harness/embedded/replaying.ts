import { parseJson } from '../json/parse.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { type HttpAnswer, type HttpRequest, listen } from './http.ts';
import type { ServerKind } from './kinds.ts';
import type { EmbeddedServer } from './server.ts';

/** One answer, byte for byte as a server gave it. */
export interface ReplayedAnswer {
  status: number;
  contentType: string;
  body: string;
}

export interface ReplayingOptions {
  /** The kind whose answers these are. */
  server: ServerKind;
  /** One per turn of a conversation. */
  answers: readonly ReplayedAnswer[];
}

const CHAT = '/v1/chat/completions';

/**
 * Starts a server that plays recorded answers back over real HTTP on a free loopback port. A request gets the answer of its
 * turn: the number of assistant messages it carries, plus one; its text is not looked at, so a conversation may be asked any
 * number of times. A request for a single token is the harness's readiness probe and gets a sound answer. Past the last
 * recorded turn, and on other routes, the answer is a 404 that says so.
 */
export function startReplayingServer({ server, answers }: ReplayingOptions): Promise<EmbeddedServer> {
  const app = (request: HttpRequest): HttpAnswer => {
    if (request.method !== 'POST' || request.path !== CHAT)
      return notRecorded(`${request.method} ${request.path}`);
    const body = readBody(request.body);
    if (body?.maxTokens === 1) return ready(server);
    if (!body) return notRecorded('a request without messages');
    return answers[body.answered] ?? notRecorded(`turn ${body.answered + 1}; ${answers.length} turns are`);
  };
  const name = `parity-replaying (recorded answers of ${server})`;
  return listen(app, { name, host: '127.0.0.1', port: 0, keepAliveMs: 5_000 });
}

const notRecorded = (what: string): HttpAnswer => ({
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: `parity-replaying: no answer is recorded for ${what}`,
});

/** What a chat request tells about its place in the conversation; undefined for anything else. */
function readBody(bytes: Buffer): { answered: number; maxTokens: number | undefined } | undefined {
  let body: Json;
  try {
    body = parseJson(bytes.toString());
  } catch {
    return undefined;
  }
  const messages = isObject(body) ? body.get('messages') : undefined;
  const limit = isObject(body) ? body.get('max_tokens') : undefined;
  if (!Array.isArray(messages)) return undefined;
  const answered = messages.filter((message) => isObject(message) && message.get('role') === 'assistant');
  return { answered: answered.length, maxTokens: limit instanceof JsonNumber ? limit.value : undefined };
}

/** One token, `Hi`, with the ids where this server kind puts them. */
function ready(server: ServerKind): HttpAnswer {
  const ids = { prompt: [9707], generation: [13048] };
  const plain = server === 'vllm-serve';
  const message = {
    role: 'assistant',
    content: 'Hi',
    ...(plain ? {} : { prompt_token_ids: ids.prompt, generation_token_ids: ids.generation }),
    ...(plain ? {} : { generation_log_probs: [-1] }),
  };
  const body = {
    object: 'chat.completion',
    choices: [
      { index: 0, message, finish_reason: 'length', ...(plain ? { token_ids: ids.generation } : {}) },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    ...(plain ? { prompt_token_ids: ids.prompt } : {}),
  };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body) };
}
