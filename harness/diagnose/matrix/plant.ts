import type { JsonObject } from '../../json/value.ts';
import type { TranscriptTurn } from '../../schemas/types.ts';
import { oracle } from '../../testing/transcripts.ts';
import type { Layer, Side } from '../case.ts';
import type { CauseName } from '../causes.ts';
import { type firstFinding, type Played, played, recount, retext, type Talk } from '../fixtures.ts';

/* Conversations, and ways to plant a defect into one side of them. */

export const { tokenizer } = oracle;
export const TOOL =
  '[{"type": "function", "function": {"name": "set", "description": "Sets é.", "parameters": {"type": "object", "properties": {"n": {"type": "number", "minimum": 1.0}, "s": {"type": "string"}, "b": {"type": "boolean"}}, "required": ["s"]}}}]';
export const call = (text: string): string =>
  `<tool_call>\n{"name": "set", "arguments": ${text}}\n</tool_call>`;
export const THOUGHT = '<think>\nHm.\n</think>\n\n';

/** A call, its result, an answer, in a history that is rendered again. */
export const RENDERED: Talk = {
  history: 'rerendered',
  system: 'Today is 2026-11-30.',
  tools: TOOL,
  turns: [
    { user: 'Set it.', say: `${THOUGHT}${call('{"s": "Zürich", "n": 1}')}` },
    { result: '{"ok": true}', say: `${THOUGHT}Done.` },
    { user: 'Thanks.', say: `${THOUGHT}Welcome.` },
  ],
};
export const SPLICED: Talk = { ...RENDERED, history: 'spliced' };
/** A tool without a description: vLLM's server prints `null` for it, TRT-LLM's prints what was sent. */
export const BARE_TOOL: Talk = {
  history: 'rerendered',
  tools: '[{"type": "function", "function": {"name": "set", "parameters": {}}}]',
  turns: [{ user: 'Set it.', say: 'Yes.' }],
};
export const calling = (text: string): Talk => ({
  ...SPLICED,
  turns: [{ user: 'Set it.', say: `${THOUGHT}${call(text)}` }],
});
export const saying = (say: string): Talk => ({ turns: [{ user: 'Go.', say }] });

export type Planted = [
  name: string,
  talk: Talk,
  plant: (played: Played, turns: TranscriptTurn[]) => void,
  verdict: `${Layer} ${Side} ${CauseName | '-'}`,
  options?: Parameters<typeof firstFinding>[1],
];

export const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};
export const prompt = (turn: number, from: string, to: string) => (_: Played, turns: TranscriptTurn[]) =>
  retext(turns[turn - 1], 'prompt_token_ids', from, to);
export const set =
  (turn: number, fields: Partial<TranscriptTurn>) => (_: Played, turns: TranscriptTurn[]) => {
    Object.assign(at(turns, turn - 1), fields);
  };
export const drop = (turn: number, field: keyof TranscriptTurn) => (_: Played, turns: TranscriptTurn[]) => {
  delete at(turns, turn - 1)[field];
};
/** Arguments of the first call as the server prints them. */
export const args = (text: string) => (_: Played, turns: TranscriptTurn[]) => {
  Object.assign(at(at(turns, 0).tool_calls ?? [], 0), { arguments: text });
};
/** Ids of a turn's prompt, changed from behind what the turn before carries. */
export const seam =
  (turn: number, change: (tail: number[], kept: number[]) => number[]) =>
  (_: Played, turns: TranscriptTurn[]) => {
    const before = at(turns, turn - 2);
    const kept = [...(before.prompt_token_ids ?? []), ...(before.generation_token_ids ?? []).slice(0, -1)];
    const entry = at(turns, turn - 1);
    const ids = entry.prompt_token_ids ?? [];
    entry.prompt_token_ids = change(ids.slice(kept.length), kept);
    recount(entry);
  };
/** The text behind what the turn before carries. Throws where `from` does not occur. */
export const seamText = (turn: number, from: string, to: string) =>
  seam(turn, (tail, kept) => {
    const text = tokenizer.decode(tail);
    if (!text.includes(from)) throw new Error(`${from} is not in ${text}`);
    return [...kept, ...tokenizer.encode(text.replace(from, () => to))];
  });
export const generated =
  (turn: number, change: (ids: number[]) => number[]) => (_: Played, turns: TranscriptTurn[]) => {
    const entry = at(turns, turn - 1);
    entry.generation_token_ids = change(entry.generation_token_ids ?? []);
    recount(entry);
  };
/** Another word at an index, with the log-probs of both. */
export const flipped =
  (index: number, gap: number | undefined, listed = true) =>
  (played: Played, turns: TranscriptTurn[]) => {
    const wanted = at(at(turns, 0).generation_token_ids ?? [], index);
    generated(1, (ids) => ids.with(index, 9707))(played, turns);
    if (gap === undefined) return;
    const rows = (at(turns, 0).generation_token_ids ?? []).map((id) => [
      { token: `token_id:${id}`, logprob: -0.5 },
    ]);
    at(rows, index).push({ token: `token_id:${listed ? wanted : 11}`, logprob: -0.5 - gap });
    at(turns, 0).top_logprobs = rows;
  };
export const refused = (http_status: number, error: string) =>
  set(1, { outcome: 'refused', http_status, error });
export const silent = (error: string) => set(1, { outcome: 'no_answer', error });
/** The defect is in the golden; the lane is sound. */
export const inGolden = (plant: (played: Played, turns: TranscriptTurn[]) => void) => (played: Played) =>
  plant(played, played.golden.turns);
export const otherRequest = (change: (request: JsonObject) => void) => {
  const { requests, lane } = played(RENDERED);
  const request = at(requests, 0);
  change(request);
  return { other: { speaker: lane, request } };
};
export const EMPTY = '<think>\n\n</think>\n\n';
export const SPEAKERS = { tool: 'hermes', reasoning: 'qwen3' };
