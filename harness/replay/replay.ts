import type { Dialect } from '../dialects/dialect.ts';
import type { Continuation, History } from '../domain.ts';
import { type Printed, printJson, printJsonOnce } from '../json/print.ts';
import type { Json, JsonObject } from '../json/value.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Lane, Transcript, TranscriptTurn } from '../schemas/types.ts';
import type { ChatClient } from './client.ts';
import { sendBack } from './echo.ts';
import { newMessages, type TurnTexts } from './messages.ts';
import type { RunFolder } from './run-folder.ts';

/** Tokens a turn may generate when neither scenario nor turn says so. */
export const DEFAULT_MAX_TOKENS = 512;

export interface ReplayInput {
  lane: Lane;
  emulated: boolean;
  dialect: Dialect;
  client: ChatClient;
  scenario: LoadedScenario;
  texts: readonly TurnTexts[];
  history: History;
  continuation: Continuation;
  /** Assistant messages of the golden, one per turn, for `--continue golden`. */
  goldenMessages?: readonly JsonObject[];
  folder: RunFolder;
  signal?: AbortSignal;
  /** Bytes in the log of a launched server so far. */
  logOffset?: () => number;
}

/** Plays one scenario to one server. Every HTTP answer is a result; the transcript says where there was none. */
export async function replay(input: ReplayInput): Promise<Transcript> {
  const { lane, scenario, dialect } = input;
  const startedAt = performance.now();
  const messages = systemMessages(scenario);
  const turns: TranscriptTurn[] = [];
  const printed: Printed = new WeakMap();
  let previous: JsonObject | undefined;
  for (const [index, texts] of input.texts.entries()) {
    const turn = index + 1;
    const added = newMessages(texts, previous, turn);
    messages.push(...added);
    const { turn: entry, message } = await ask(input, turn, { all: messages, added, printed }, startedAt);
    turns.push(entry);
    if (!message) break;
    const answer = input.goldenMessages?.[index] ?? dialect.echo(message, input.history);
    previous = sendBack(answer, scenario.document.echo, messages);
    messages.push(previous);
    printed.set(previous, printJson(previous));
  }
  return {
    format: 1,
    lane: lane.name,
    server: lane.server,
    ...projectionEntry(dialect),
    emulated: input.emulated,
    scenario: scenario.name,
    scenario_hash: scenario.hash,
    model: lane.model.name,
    history: input.history,
    continuation: input.continuation,
    eos: lane.eos,
    parsers: lane.parsers,
    complete: turns.length === input.texts.length && turns.every(({ outcome }) => outcome === 'answered'),
    turns,
  };
}

/** Named only where the answers' projection is not the server's own kind. */
export function projectionEntry({ name, projection }: Dialect): Pick<Transcript, 'projection'> {
  if (projection === name || projection === 'tokens' || projection === 'trtllm-serve') return {};
  return { projection };
}

const systemMessages = ({ document }: LoadedScenario): JsonObject[] =>
  document.system === undefined
    ? []
    : [
        new Map<string, Json>([
          ['role', 'system'],
          ['content', document.system],
        ]),
      ];

async function ask(
  { lane, scenario, dialect, client, folder, signal, logOffset }: ReplayInput,
  turn: number,
  messages: { all: readonly JsonObject[]; added: readonly JsonObject[]; printed: Printed },
  startedAt: number,
): Promise<{ turn: TranscriptTurn; message?: JsonObject }> {
  const { document } = scenario;
  const own = document.turns[turn - 1];
  const maxTokens = own?.sampling?.max_tokens ?? document.sampling?.max_tokens ?? DEFAULT_MAX_TOKENS;
  const thinking = own?.thinking ?? document.thinking;
  const question = dialect.ask({
    model: lane.model.served_as ?? lane.model.name,
    messages: messages.all,
    tools: scenario.tools,
    thinking,
    maxTokens,
    topLogprobs: own?.sampling?.top_logprobs ?? document.sampling?.top_logprobs ?? 0,
  });
  const exchange = `exchanges/${lane.name}/${scenario.name}/${turn}`;
  const asked = {
    turn,
    exchange,
    max_tokens: maxTokens,
    sent: messages.added.map((message) => ({
      role: String(message.get('role')),
      content: String(message.get('content')),
    })),
    thinking: thinking !== false,
    tools: scenario.tools !== undefined,
  };
  const since = (at: number): number => Math.round((at - startedAt) * 100) / 100;
  if (typeof question === 'string') {
    const timings = { sent_ms: since(performance.now()), total_ms: 0 };
    return { turn: { ...asked, outcome: 'refused', error: question, timings } };
  }
  const logFrom = logOffset?.();
  const request = Buffer.from(printJsonOnce(question.body, messages.printed));
  const answer = await client.post(dialect.path, request, signal);
  folder.writeExchange(exchange, request, answer.kind === 'response' ? answer.body : undefined);
  const base = {
    ...asked,
    ...(logOffset && logFrom !== undefined ? { log: logSlice(logFrom, logOffset()) } : {}),
  };
  const timings = { sent_ms: since(answer.sentAt), total_ms: since(answer.endedAt) - since(answer.sentAt) };
  if (answer.kind === 'no_answer') {
    return { turn: { ...base, outcome: 'no_answer', error: answer.reason, timings } };
  }
  const { reading, ...rest } = question.read(answer.status, answer.body.toString());
  return {
    turn: { ...base, ...reading, timings: { ...timings, headers_ms: since(answer.headersAt) } },
    ...rest,
  };
}

const logSlice = (from: number, to: number): [from: number, to: number] => [from, to];
