import { type Expected, type JudgeInput, judge } from '../compare/judge.ts';
import type { DialectName, History } from '../domain.ts';
import { projectMessage, splitStop } from '../goldens/codec.ts';
import { parseJson } from '../json/parse.ts';
import { fromJs, isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Speaker } from '../oracle/speaker.ts';
import { EOS } from '../oracle/tokenizer.ts';
import type { Finding, Scenario, Transcript, TranscriptTurn } from '../schemas/types.ts';
import { type Say, scriptIds } from '../teleprompter/script.ts';
import { oracle } from '../testing/transcripts.ts';
import type { Case } from './case.ts';
import { diagnose } from './diagnose.ts';

/*
 * For tests: healthy conversations as the oracle makes them, to plant a defect in one side and see what it is called.
 */

const { tokenizer } = oracle;

/** One conversation: what is sent and what the model says. */
export interface Talk {
  server?: DialectName;
  history?: History;
  parsers?: Speaker['parsers'];
  eos?: 'kept' | 'trimmed';
  system?: string;
  /** JSON text of the tools. */
  tools?: string;
  thinking?: boolean;
  maxTokens?: number;
  turns: { user?: string; result?: string; say: Say }[];
}

/** Both sides of a conversation, equal until a defect is planted, and what the lane was asked. */
export interface Played {
  golden: Transcript;
  lane: Transcript;
  requests: JsonObject[];
  scenario: Scenario;
}

/** Plays a conversation by the oracle alone. */
export function played(talk: Talk): Played {
  const { server = 'nemo-rl-vllm', history = 'spliced', eos = 'kept', maxTokens = 64 } = talk;
  const parsers = talk.parsers ?? {
    tool: server === 'nemo-rl-trtllm' ? 'qwen3' : 'hermes',
    reasoning: 'qwen3',
  };
  const speaker = { server, parsers };
  const messages: Json[] = talk.system === undefined ? [] : [said('system', talk.system)];
  const requests: JsonObject[] = [];
  const turns = talk.turns.map(({ user, result, say }, index): TranscriptTurn => {
    const sent = result === undefined ? said('user', user ?? '') : said('tool', result);
    messages.push(sent);
    const request: JsonObject = new Map<string, Json>([
      ['model', 'scripted'],
      ['messages', [...messages]],
    ]);
    if (talk.tools !== undefined) request.set('tools', parseJson(talk.tools));
    if (talk.thinking !== undefined) {
      request.set('chat_template_kwargs', new Map([['enable_thinking', talk.thinking]]));
    }
    request.set('max_tokens', fromJs(maxTokens));
    requests.push(request);
    const prompt = oracle.promptIds(server, request) ?? [];
    const all = scriptIds(say, tokenizer).slice(0, maxTokens);
    const ids = eos === 'trimmed' && all.at(-1) === EOS ? all.slice(0, -1) : all;
    const mode = {
      thinking: talk.thinking !== false,
      tools: talk.tools !== undefined,
      definitions: toolsOf(request),
    };
    const parsed = oracle.parse(speaker, ids, mode) ?? { content: null, reasoning: null, calls: [] };
    const { content, reasoning, calls } = parsed;
    const turn: TranscriptTurn = {
      turn: index + 1,
      exchange: `exchanges/lane/x/${index + 1}`,
      outcome: 'answered',
      http_status: 200,
      max_tokens: maxTokens,
      sent: [{ role: String(sent.get('role')), content: String(sent.get('content')) }],
      thinking: mode.thinking,
      tools: mode.tools,
      prompt_token_ids: prompt,
      generation_token_ids: ids,
      content,
      reasoning,
      reasoning_field: server === 'nemo-rl-trtllm' ? 'reasoning_content' : 'reasoning',
      finish_reason: calls.length > 0 ? 'tool_calls' : all.at(-1) === EOS ? 'stop' : 'length',
      usage: {
        prompt_tokens: prompt.length,
        completion_tokens: ids.length,
        total_tokens: prompt.length + ids.length,
      },
      logprobs: ids.map(() => -0.5),
      timings: { sent_ms: 0, total_ms: 1 },
    };
    if (calls.length > 0) {
      turn.tool_calls = calls.map((call) => ({ id: `call_${index}`, type: 'function', ...call }));
    }
    messages.push(answerOf(turn, history));
    return turn;
  });
  const golden: Transcript = {
    format: 1,
    lane: 'lane',
    server,
    emulated: true,
    scenario: 'x',
    scenario_hash: 'x',
    model: 'scripted',
    history,
    continuation: 'own',
    eos,
    parsers,
    complete: true,
    turns,
  };
  const scenario: Scenario = {
    name: 'x',
    about: 'x',
    exercises: ['x'],
    turns: talk.turns.map(({ say }) => ({ user: 'x', say })),
  };
  return { golden, lane: structuredClone(golden), requests, scenario };
}

const said = (role: string, content: string): JsonObject =>
  new Map<string, Json>([
    ['role', role],
    ['content', content],
  ]);

function toolsOf(request: JsonObject): Json[] | undefined {
  const tools = request.get('tools');
  return Array.isArray(tools) ? tools : undefined;
}

/** The assistant message as it is sent back. */
function answerOf(turn: TranscriptTurn, history: History): JsonObject {
  const { content, reasoning, tool_calls: calls, prompt_token_ids: prompt, generation_token_ids: ids } = turn;
  const message = fromJs({
    role: 'assistant',
    content,
    reasoning,
    tool_calls: calls?.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
    ...(history === 'spliced' ? { prompt_token_ids: prompt, generation_token_ids: ids } : {}),
  });
  if (!isObject(message)) throw new Error('a message is an object');
  return message;
}

export type Found = Pick<Finding, 'turn' | 'field' | 'verdict' | 'cause' | 'deviates' | 'says' | 'evidence'>;

/** Judges the lane against the golden and diagnoses the first finding; undefined when there is none. */
export function firstFinding(
  { golden, lane, requests, scenario }: Played,
  {
    scripted = true,
    against,
    other,
  }: { scripted?: boolean; against?: 'nothing'; other?: Case['other'] } = {},
): Found | undefined {
  const expected = against === 'nothing' ? undefined : expectedOf(golden);
  const input: JudgeInput = { transcript: lane, expected, scenario, oracle };
  for (const { turn, field, outcome } of judge(input).assertions) {
    if (outcome.status !== 'differs') continue;
    const say = scenario.turns[turn - 1]?.say;
    const diagnosis = diagnose({
      field,
      difference: outcome.difference,
      selfMade: false,
      speaker: lane,
      eos: lane.eos,
      history: lane.history,
      turn: lane.turns[turn - 1],
      earlier: lane.turns.slice(0, turn - 1),
      core: expected?.core[turn - 1],
      message: expected?.messages?.[turn - 1],
      request: requests[turn - 1],
      other,
      script: scripted && say !== undefined ? scriptIds(say, tokenizer) : undefined,
      oracle,
    });
    return { turn, field, ...diagnosis };
  }
  return undefined;
}

function expectedOf({ turns }: Transcript): Expected {
  return {
    core: turns.map(
      ({
        prompt_token_ids: prompt = [],
        generation_token_ids: ids = [],
        finish_reason: finish,
        max_tokens: limit,
      }) => ({
        prompt,
        ...splitStop(ids, finish, limit),
      }),
    ),
    messages: turns.map(projectMessage),
  };
}

/** A turn's prompt or generation with its text changed, tokenized anew. Throws where the text does not occur. */
export function retext(
  turn: TranscriptTurn | undefined,
  key: 'prompt_token_ids' | 'generation_token_ids',
  from: string,
  to: string,
): void {
  const text = tokenizer.decode(turn?.[key] ?? []);
  if (!turn || !text.includes(from)) throw new Error(`${from} is not in ${text}`);
  turn[key] = tokenizer.encode(text.replace(from, () => to));
  recount(turn);
}

/** Usage and log-probs that fit a turn's ids again. */
export function recount(turn: TranscriptTurn): void {
  const [prompt, completion] = [turn.prompt_token_ids?.length ?? 0, turn.generation_token_ids?.length ?? 0];
  turn.usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  turn.logprobs = (turn.generation_token_ids ?? []).map(() => -0.5);
}
