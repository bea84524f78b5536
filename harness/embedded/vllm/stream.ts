import { dumpsPythonCompact } from '../../json/print.ts';
import { truthy } from '../../json/truthy.ts';
import type { Json, JsonObject } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';
import { int, ints, now } from '../values.ts';
import { requestId, usageOf } from './answer.ts';
import { hidesTokens, roleOf } from './choice.ts';
import { refuseCoderStream } from './coder.ts';
import { deltaOf } from './delta.ts';
import { entryOf } from './logprobs.ts';
import type { ChatRequest } from './request.ts';
import { type SoFar, soFar } from './so-far.ts';
import { soFar032 } from './so-far-0.32.ts';
import { toText } from './speech.ts';
import type { Chat } from './started.ts';
import type { Told } from './told.ts';

type Chunk = (choices: Json[], more?: Iterable<readonly [string, Json]>) => string;
const NOTHING: SoFar = { reasoning: '', content: '', calls: [] };

/**
 * Server-sent events of one generation, a chunk per token. On 0.25.1 a token whose delta is empty is not sent and its log-prob
 * with it, unless `return_token_ids` asks for all; none of NeMo-RL's token fields is there.
 */
export function streamed(told: Told, request: ChatRequest, chat: Chat): HttpAnswer {
  if (chat.parsers.tool === 'qwen3_coder') refuseCoderStream();
  const head: readonly (readonly [string, Json])[] = [
    ['id', requestId(request)],
    ['object', 'chat.completion.chunk'],
    ['created', now()],
    ['model', chat.model],
  ];
  const chunk: Chunk = (choices, more = []) =>
    `data: ${dumpsPythonCompact(new Map<string, Json>([...head, ['choices', choices], ...more]))}\n\n`;
  const count = request.n ?? 1;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const first = indexes.map((index) =>
    chunk(
      [opening(index, roleOf(request))],
      [...running(told, 0, request, chat), ...promptFields(told, request)],
    ),
  );
  const choices = indexes.map((index) => chunksOf(index, told, request, chat, chunk));
  // Every choice says its next token before one says the token after.
  const body = (choices[0] ?? []).flatMap((_, at) => choices.map((chunks) => chunks[at] ?? ''));
  const fingerprint = ['system_fingerprint', chat.version.fingerprint] as const;
  const usage = asksUsage(request) ? [chunk([], [['usage', lastUsage(told, count, chat)], fingerprint])] : [];
  return {
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    body: [...first, ...body, ...usage, 'data: [DONE]\n\n'],
  };
}

const promptFields = (told: Told, request: ChatRequest): [string, Json][] => [
  ['prompt_token_ids', request.return_token_ids === true ? ints(told.prompt) : null],
  ['prompt_text', null],
];

const asksUsage = (request: ChatRequest): boolean => truthy(request.stream_options?.get('include_usage'));

/** Usage as far as a stream has come, for those who want it with every chunk. */
function running(told: Told, length: number, request: ChatRequest, chat: Chat): [string, Json][] {
  const continuous = truthy(request.stream_options?.get('continuous_usage_stats'));
  if (!chat.version.newStream || !asksUsage(request) || !continuous) return [];
  const generated = { ...told.generated, ids: told.generated.ids.slice(0, length) };
  return [['usage', lastUsage({ ...told, generated }, 1, chat)]];
}

const opening = (index: number, role: string): JsonObject =>
  new Map<string, Json>([
    ['index', int(index)],
    [
      'delta',
      new Map([
        ['role', role],
        ['content', ''],
      ]),
    ],
    ['logprobs', null],
    ['finish_reason', null],
  ]);

/** Usage without its nulls. */
function lastUsage(told: Told, count: number, chat: Chat): JsonObject {
  return new Map([...usageOf(told, count, chat)].filter(([, value]) => value !== null));
}

function chunksOf(index: number, told: Told, request: ChatRequest, chat: Chat, chunk: Chunk): string[] {
  const { generated } = told;
  const { parsers } = chat;
  const thinking = parsers.reasoning !== null && told.thinking;
  const tools = parsers.tool !== null && request.tool_choice !== 'none';
  const all = sendsAll(request, chat);
  const out: string[] = [];
  let before = NOTHING;
  const cut = typeof generated.stopReason === 'string';
  const spoken = (ids: readonly number[]): string => toText(ids, request, chat);
  for (let at = 0; at < generated.ids.length; at++) {
    const finished = at === generated.ids.length - 1;
    const ids = generated.ids.slice(0, at + 1);
    const text = finished ? generated.text : spoken(ids);
    const state = chat.version.newStream
      ? soFar032({ ids, text, finished, cut: finished && cut, toText: spoken }, chat, {
          thinking,
          tools,
        })
      : soFar(text, chat, { thinking, tools, finished });
    const delta = deltaOf(before, state, request, chat);
    before = state;
    if (delta.size === 0 && !finished && !all) continue;
    const choice = choiceOf(index, delta, at, { told, request, chat, called: state.calls.length > 0 });
    const more = running(told, at + 1, request, chat);
    if (finished && chat.version.newStream && !asksUsage(request)) {
      more.push(['system_fingerprint', chat.version.fingerprint]);
    }
    out.push(chunk([choice], more));
  }
  return out;
}

/** Whether tokens that changed nothing a reader sees get a chunk as well. */
const sendsAll = (request: ChatRequest, chat: Chat): boolean =>
  !hidesTokens(request, chat) &&
  (request.return_token_ids === true || (chat.version.newStream && request.logprobs === true));

function choiceOf(
  index: number,
  delta: JsonObject,
  at: number,
  { told, request, chat, called }: { told: Told; request: ChatRequest; chat: Chat; called: boolean },
): JsonObject {
  const { ids, finish, stopReason } = told.generated;
  const hidden = hidesTokens(request, chat);
  const logprobs = (): Json => new Map([['content', [entryOf(ids, at, request, chat)]]]);
  const choice: JsonObject = new Map<string, Json>([
    ['index', int(index)],
    ['delta', delta],
    ['logprobs', request.logprobs === true && !hidden ? logprobs() : null],
    ['finish_reason', null],
  ]);
  if (at === ids.length - 1) {
    choice.set('finish_reason', called && finish === 'stop' ? 'tool_calls' : finish);
    choice.set('stop_reason', typeof stopReason === 'number' ? int(stopReason) : stopReason);
  }
  const shown = request.return_token_ids === true && !hidden;
  return choice.set('token_ids', shown ? ints(ids.slice(at, at + 1)) : null);
}
