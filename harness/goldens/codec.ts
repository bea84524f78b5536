import { type ChatTokenizer, STOP_IDS } from '../oracle/tokenizer.ts';
import type { Golden, GoldenTurn, ProjectedMessage, Transcript, TranscriptTurn } from '../schemas/types.ts';
import { fromRows, toRows } from './rows.ts';

/** The token core of one golden turn, unfolded. */
export interface CoreTurn {
  prompt: number[];
  /** Without the terminal stop id. */
  generation: number[];
  /** Null when the length limit cut the reply. */
  stop: number | null;
}

/** Generated ids as a server that keeps the terminal stop id returns them. */
export const withStop = ({ generation, stop }: CoreTurn): number[] =>
  stop === null ? generation : [...generation, stop];

/** Unfolds a golden's turns: each prompt keeps a part of the previous prompt + generation. */
export function unfoldCore(golden: Golden): CoreTurn[] {
  let seen: number[] = [];
  return golden.turns.map((turn) => {
    const prompt = [...seen.slice(0, turn.keep), ...fromRows(turn.prompt)];
    const core = { prompt, generation: fromRows(turn.generation), stop: turn.stop };
    seen = [...prompt, ...withStop(core)];
    return core;
  });
}

/** Splits received generation ids into core and terminal stop id; a reply cut by the length limit has none. */
export function splitStop(
  ids: readonly number[],
  finish: string | null | undefined,
  limit: number,
): Omit<CoreTurn, 'prompt'> {
  const last = ids.at(-1);
  const stopped = last !== undefined && STOP_IDS.has(last);
  const cut = finish === 'length' || (ids.length === limit && !stopped);
  if (cut || !stopped) return { generation: [...ids], stop: null };
  return { generation: ids.slice(0, -1), stop: last };
}

/** Folds a complete transcript of a lane that keeps the terminal stop id into golden turns. */
export function foldCore(transcript: Transcript, tokenizer: ChatTokenizer): GoldenTurn[] {
  let seen: number[] = [];
  return transcript.turns.map((turn) => {
    const prompt = turn.prompt_token_ids ?? [];
    const core = splitStop(turn.generation_token_ids ?? [], turn.finish_reason, turn.max_tokens);
    const keep = commonPrefix(seen, prompt);
    seen = [...prompt, ...withStop({ prompt, ...core })];
    const folded: GoldenTurn = {
      turn: turn.turn,
      keep,
      prompt: toRows(prompt.slice(keep), tokenizer),
      generation: toRows(core.generation, tokenizer),
      stop: core.stop,
    };
    const mean = meanLogprob(turn);
    if (mean !== undefined) folded.mean_logprob = mean;
    return folded;
  });
}

/** Mean log-prob of a turn's generated ids, rounded to 4 digits: reported beside a golden, never compared. */
export function meanLogprob({ logprobs = [] }: Pick<TranscriptTurn, 'logprobs'>): number | undefined {
  const finite = logprobs.filter((value) => value !== null);
  if (finite.length === 0) return undefined;
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
  return Math.round(mean * 1e4) / 1e4;
}

/** One turn's exact message without what is random (call ids); absent keys stay absent. */
export function projectMessage(turn: TranscriptTurn): ProjectedMessage {
  const message: ProjectedMessage = { finish_reason: finishReason(turn.finish_reason) };
  if (turn.content !== undefined) message.content = turn.content;
  if (turn.reasoning !== undefined) message.reasoning = turn.reasoning;
  if (turn.tool_calls === null) message.tool_calls = null;
  else if (turn.tool_calls) {
    message.tool_calls = turn.tool_calls.map(({ name, arguments: text }) => ({ name, arguments: text }));
  }
  return message;
}

/** Whether a finish reason is one that a message can be recorded with. */
export const isFinishReason = (
  value: string | null | undefined,
): value is ProjectedMessage['finish_reason'] =>
  value === 'stop' || value === 'length' || value === 'tool_calls';

function finishReason(value: string | null | undefined): ProjectedMessage['finish_reason'] {
  if (isFinishReason(value)) return value;
  throw new Error(`finish_reason ${JSON.stringify(value)} cannot be recorded`);
}

export function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a[at] === b[at]) at++;
  return at;
}
