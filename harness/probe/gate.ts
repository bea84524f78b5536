import { JsonNumber } from '../json/value.ts';
import { errorShape } from './error-shape.ts';
import { type Fact, measured } from './fact.ts';
import type { Heard, Line } from './heard.ts';
import { idPlaces, partsOf } from './ids.ts';
import { CHAT, chatBody, type Fields } from './question.ts';

/** One set of sampling fields, laid over what every lane sends. */
interface Pair {
  name: string;
  fields: Fields;
}

const number = (lexeme: string): JsonNumber => new JsonNumber(lexeme);
const pair = (temperature: string | undefined, topP: string | undefined): Pair => {
  const sent = [temperature && `temperature ${temperature}`, topP && `top_p ${topP}`].filter(Boolean);
  return {
    name: sent.length === 2 ? sent.join(', ') : sent.length === 1 ? `${sent[0]} alone` : 'neither sent',
    fields: {
      temperature: temperature === undefined ? undefined : number(temperature),
      top_p: topP === undefined ? undefined : number(topP),
    },
  };
};
const field = (name: string, fields: Fields): Pair => ({ name, fields });

/** What every lane sends: greedy, spelled out, with log-probs. */
const GREEDY = pair('0.0', '1.0');

/**
 * Greedy, what models recommend, NeMo-RL's usual validation pair, one mixed pair, and fewer fields than two. NeMo-RL's servers
 * assert the pair (`NVIDIA-NeMo/RL nemo_rl/models/generation/vllm/vllm_worker_async.py`), each in its own way.
 */
const PAIRS: readonly Pair[] = [
  GREEDY,
  pair('1.0', '1.0'),
  pair('0.2', '0.95'),
  pair('0.6', '0.95'),
  pair('0.7', '0.8'),
  pair('0.0', '0.95'),
  pair('0.0', undefined),
  pair(undefined, '1.0'),
  pair(undefined, undefined),
];

/** One field more or less, laid over a pair that is accepted: only then is a refusal about the field. */
const CHANGES: readonly Pair[] = [
  field('top_k -1', { top_k: number('-1') }),
  field('top_k 0', { top_k: number('0') }),
  field('top_k 1', { top_k: number('1') }),
  field('top_k 20', { top_k: number('20') }),
  field('without logprobs', { logprobs: undefined, top_logprobs: undefined }),
  field('without top_logprobs', { top_logprobs: undefined }),
  field('top_logprobs null', { top_logprobs: null }),
  field('top_logprobs 5', { top_logprobs: number('5') }),
];

/** What a server made of a pair. */
export interface Gated {
  pair: Pair;
  heard: Heard;
  accepted: boolean;
  ids: boolean;
}

/** Asks with every pair, the one that lanes send first, then with single fields changed; stops where the first gets no answer. */
export async function askPairs(line: Line, model: string | undefined): Promise<Gated[]> {
  const gated: Gated[] = [];
  for (const entry of PAIRS) {
    gated.push(await askPair(line, entry, model));
    if (gated[0]?.heard.kind === 'none') return gated;
  }
  const open = gated.find(({ accepted }) => accepted);
  if (!open) return gated;
  for (const { name, fields } of CHANGES) {
    gated.push(await askPair(line, { name, fields: { ...open.pair.fields, ...fields } }, model));
  }
  return gated;
}

async function askPair(line: Line, pair: Pair, model: string | undefined): Promise<Gated> {
  const heard = await line.post(CHAT, chatBody({ model, fields: pair.fields }));
  const parts = partsOf(heard);
  return { pair, heard, accepted: parts !== undefined, ids: idPlaces(parts).length > 0 };
}

/** Whether a pair of this name was accepted; undefined where it was not asked. */
export const accepts = (gated: readonly Gated[], name: string): boolean | undefined =>
  gated.find((entry) => entry.pair.name === name)?.accepted;

export function gateFact(gated: readonly Gated[]): Fact {
  const names = (entries: readonly Gated[]): string => entries.map((entry) => entry.pair.name).join(' | ');
  const accepted = gated.filter((entry) => entry.accepted);
  const refusals = new Map<string, Gated[]>();
  for (const entry of gated.filter((one) => !one.accepted)) {
    const shape = errorShape(entry.heard);
    refusals.set(shape, [...(refusals.get(shape) ?? []), entry]);
  }
  const lines = [
    `accepted: ${names(accepted) || 'none'}`,
    ...[...refusals].map(([shape, entries]) => `refused (${shape}): ${names(entries)}`),
  ];
  const bare = accepted.filter((entry) => !entry.ids);
  if (bare.length > 0 && bare.length < accepted.length) lines.push(`accepted, but no ids: ${names(bare)}`);
  return measured('sampling gate', ...lines);
}
