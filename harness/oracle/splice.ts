import { EOS } from './tokenizer.ts';

/** Inputs of one splice; all ids are token ids of one tokenizer. */
export interface SpliceInput {
  /** `prompt_token_ids` + `generation_token_ids` of the message whose ids are carried. */
  prefix: readonly number[];
  /** Ids of the messages up to the last assistant message, rendered without generation prompt. */
  templatePrefix: readonly number[];
  /** Ids of all messages, rendered with generation prompt. */
  template: readonly number[];
}

/** How many ids were kept from the prefix and how many the template appended; the cut is where they meet. */
export interface Splice {
  ids: number[];
  kept: number;
  /** Index in the template of the end-of-turn id at which the template takes over. */
  cut: number;
}

/**
 * The next prompt when earlier ids are carried: the prefix without one trailing end-of-turn id, then the template from its
 * N-th end-of-turn id on, where N counts those ids in the rendered prefix
 * (`NVIDIA-NeMo/RL nemo_rl/models/generation/openai_server_utils.py`, `replace_prefix_tokens`).
 * Undefined where the real server fails an assertion: the template holds fewer than N of them, or N is 0.
 */
export function splicePrompt({ prefix, templatePrefix, template }: SpliceInput): Splice | undefined {
  if (prefix.length === 0) return { ids: [...template], kept: 0, cut: 0 };
  const kept = prefix.at(-1) === EOS ? prefix.length - 1 : prefix.length;
  const count = templatePrefix.reduce((sum, id) => (id === EOS ? sum + 1 : sum), 0);
  const cut = indexOfNth(template, EOS, count);
  if (cut === -1) return undefined;
  return { ids: prefix.slice(0, kept).concat(template.slice(cut)), kept, cut };
}

function indexOfNth(ids: readonly number[], wanted: number, n: number): number {
  let seen = 0;
  if (n === 0) return -1;
  return ids.findIndex((id) => id === wanted && ++seen === n);
}
