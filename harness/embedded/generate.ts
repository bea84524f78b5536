import { EOS, STOP_IDS } from '../oracle/tokenizer.ts';
import { nextId, type Teleprompter } from '../teleprompter/speak.ts';
import { nextIdShort } from './short-prompt.ts';

/** When a generation ends; defaults in the comments are vLLM's. */
export interface StopRules {
  maxTokens: number;
  /** Fewer ids than this, and no stop id can be generated. */
  minTokens: number;
  /** The model's own stop ids do not stop. */
  ignoreEos: boolean;
  /** Further ids that stop. */
  stopTokenIds: ReadonlySet<number>;
  /** Strings that stop, in the order in which they are looked for. */
  stop: readonly string[];
  includeStop: boolean;
}

export interface Generated {
  ids: number[];
  text: string;
  finish: 'stop' | 'length';
  /** The stop string, or a stop id that is not the model's end of turn. */
  stopReason: string | number | null;
}

type ToText = (ids: readonly number[]) => string;

/**
 * Greedy generation with vLLM's stop rules (`vllm/v1/core/sched/utils.py`, `vllm/v1/engine/detokenizer.py`, 0.25.1). Below
 * `minTokens` a stop id is replaced by the token it was written with, or by the lowest id that does not stop: the real
 * second-best token lies in the random codes of a checkpoint and is not closed form.
 */
export function generate(
  model: Teleprompter,
  prompt: readonly number[],
  rules: StopRules,
  toText: ToText,
): Generated {
  const all = [...prompt];
  const ids: number[] = [];
  let seen = '';
  const stops = (id: number): boolean => (!rules.ignoreEos && STOP_IDS.has(id)) || rules.stopTokenIds.has(id);
  while (ids.length < rules.maxTokens) {
    const id = next(model, all, (candidate) => ids.length < rules.minTokens && banned(candidate, rules));
    all.push(id);
    ids.push(id);
    if (ids.length >= rules.minTokens && stops(id)) {
      const stopReason = id === EOS && !rules.ignoreEos ? null : id;
      return { ids, text: toText(rules.includeStop ? ids : ids.slice(0, -1)), finish: 'stop', stopReason };
    }
    if (rules.stop.length === 0) continue;
    const text = toText(ids);
    const found = ids.length > rules.minTokens ? findStop(text, text.length - seen.length, rules) : undefined;
    if (found) return { ids, text: text.slice(0, found.end), finish: 'stop', stopReason: found.stop };
    seen = text;
  }
  return { ids, text: toText(ids), finish: 'length', stopReason: null };
}

const banned = (id: number, rules: StopRules): boolean => STOP_IDS.has(id) || rules.stopTokenIds.has(id);

function next(model: Teleprompter, ids: readonly number[], isBanned: (id: number) => boolean): number {
  const id = ids.length < model.lag ? nextIdShort(model, ids) : nextId(model, ids);
  if (!isBanned(id)) return id;
  const source = ids[Math.max(0, ids.length - model.lag)] ?? id;
  if (!isBanned(source)) return source;
  let other = 0;
  while (isBanned(other)) other++;
  return other;
}

/** The first listed stop string in what is new, looking back just far enough for one that was begun earlier. */
function findStop(text: string, fresh: number, rules: StopRules): { stop: string; end: number } | undefined {
  if (fresh <= 0) return undefined;
  for (const stop of rules.stop) {
    const at = text.indexOf(stop, Math.max(0, text.length + 1 - fresh - stop.length));
    if (at !== -1) return { stop, end: rules.includeStop ? at + stop.length : at };
  }
  return undefined;
}
