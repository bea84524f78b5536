import { dumpsPythonCompact } from '../../json/print.ts';
import type { Json, JsonObject } from '../../json/value.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { Generated } from '../generate.ts';
import type { HttpAnswer } from '../http.ts';
import { FINGERPRINT, int, ints, now, requestId, usageOf } from './answer.ts';
import { truthy } from './before.ts';
import { deltaOf } from './delta.ts';
import { entryOf } from './logprobs.ts';
import type { ChatRequest } from './request.ts';
import { type SoFar, soFar } from './so-far.ts';

/** What a stream is made of. */
export interface StreamSource {
  model: string;
  prompt: readonly number[];
  generated: Generated;
  /** Whether the reasoning parser runs and thinking is on. */
  thinking: boolean;
  /** Whether the tool parser runs. */
  tools: boolean;
  role: string;
  toText(ids: readonly number[]): string;
  tokenizer: ChatTokenizer;
}

type Chunk = (choices: Json[], more?: readonly (readonly [string, Json])[]) => string;
const NOTHING: SoFar = { reasoning: '', content: '', calls: [] };

/**
 * Server-sent events of one generation, a chunk per token. As on vLLM 0.25.1, a token whose delta is empty is not sent and
 * its log-prob with it, unless `return_token_ids` asks for all; none of NeMo-RL's token fields is there.
 */
export function streamed(source: StreamSource, request: ChatRequest): HttpAnswer {
  const head: readonly (readonly [string, Json])[] = [
    ['id', requestId(request)],
    ['object', 'chat.completion.chunk'],
    ['created', now()],
    ['model', source.model],
  ];
  const chunk: Chunk = (choices, more = []) =>
    `data: ${dumpsPythonCompact(new Map<string, Json>([...head, ['choices', choices], ...more]))}\n\n`;
  const count = request.n ?? 1;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const prompt = request.return_token_ids === true ? ints(source.prompt) : null;
  const first = indexes.map((index) =>
    chunk(
      [opening(index, source.role)],
      [
        ['prompt_token_ids', prompt],
        ['prompt_text', null],
      ],
    ),
  );
  const body = indexes.flatMap((index) => chunksOf(index, source, request, chunk));
  const completion = source.generated.ids.length * count;
  const usage = truthy(request.stream_options?.get('include_usage'))
    ? [chunk([], usageChunk(source.prompt.length, completion))]
    : [];
  return {
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    body: [...first, ...body, ...usage, 'data: [DONE]\n\n'],
  };
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

function usageChunk(prompt: number, completion: number): readonly (readonly [string, Json])[] {
  const usage = usageOf(prompt, completion);
  usage.delete('prompt_tokens_details'); // nulls are left out of this chunk only
  return [
    ['usage', usage],
    ['system_fingerprint', FINGERPRINT],
  ];
}

function chunksOf(index: number, source: StreamSource, request: ChatRequest, chunk: Chunk): string[] {
  const { generated } = source;
  const out: string[] = [];
  let before = NOTHING;
  for (let at = 0; at < generated.ids.length; at++) {
    const finished = at === generated.ids.length - 1;
    const text = finished ? generated.text : source.toText(generated.ids.slice(0, at + 1));
    const state = soFar(text, { thinking: source.thinking, tools: source.tools, finished });
    const delta = deltaOf(before, state, request);
    before = state;
    if (delta.size === 0 && !finished && request.return_token_ids !== true) continue;
    out.push(chunk([choiceOf(index, delta, at, { source, request, called: state.calls.length > 0 })]));
  }
  return out;
}

function choiceOf(
  index: number,
  delta: JsonObject,
  at: number,
  { source, request, called }: { source: StreamSource; request: ChatRequest; called: boolean },
): JsonObject {
  const { ids, finish, stopReason } = source.generated;
  const entry = (): Json => entryOf(ids, at, request, source.tokenizer);
  const choice: JsonObject = new Map<string, Json>([
    ['index', int(index)],
    ['delta', delta],
    ['logprobs', request.logprobs === true ? new Map([['content', [entry()]]]) : null],
    ['finish_reason', null],
  ]);
  if (at === ids.length - 1) {
    choice.set('finish_reason', called && finish === 'stop' ? 'tool_calls' : finish);
    choice.set('stop_reason', typeof stopReason === 'number' ? int(stopReason) : stopReason);
  }
  return choice.set('token_ids', request.return_token_ids === true ? ints(ids.slice(at, at + 1)) : null);
}
