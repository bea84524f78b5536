import type { Field } from '../domain.ts';

/** Where a planted fault must be caught: the first finding of that scenario, and the exit code of the run. */
export interface Plant {
  fault: string;
  lane: string;
  scenario: string;
  turn: number;
  field: Field;
  exitCode: number;
}

const on = (fault: string, scenario: string, turn: number, field: Field): Plant => ({
  fault,
  lane: 'embedded-vllm',
  scenario,
  turn,
  field,
  exitCode: 1,
});

/** One entry per fault of the embedded servers (harness/embedded/faults.ts). */
export const PLANTS: readonly Plant[] = [
  on('error-on-turn-two', 'tools/weather', 2, 'http_status'),
  on('sorted-schema-keys', 'tools/schema-numbers', 1, 'prompt_token_ids'),
  on('enable-thinking-ignored', 'reasoning/flipped', 2, 'prompt_token_ids'),
  on('prefix-ignored', 'tools/weather', 3, 'prompt_token_ids'),
  on('positional-splice', 'basics/library-hours', 2, 'prompt_token_ids'),
  on('retokenized-history', 'tokens/split-words', 2, 'prompt_token_ids'),
  on('user-message-lost', 'basics/library-hours', 2, 'prompt_token_ids'),
  on('eos-trimmed', 'tools/weather', 1, 'generation_token_ids'),
  on('flipped-generation-id', 'tools/weather', 1, 'generation_token_ids'),
  on('half-character-replaced', 'limits/cut-in-emoji', 1, 'content'),
  on('eos-text-in-content', 'basics/library-hours', 1, 'content'),
  on('reasoning-in-content', 'reasoning/on', 1, 'reasoning'),
  on('content-stripped', 'reasoning/on', 1, 'content'),
  on('ids-missing', 'tools/weather', 1, 'prompt_token_ids'),
  on('tool-calls-dropped', 'tools/weather', 1, 'tool_calls'),
  on('tool-calls-as-text', 'tools/parallel-calls', 1, 'tool_calls'),
  on('text-before-call-lost', 'tools/text-around-calls', 1, 'content'),
  on('escaped-arguments', 'text/emoji', 1, 'tool_calls'),
  on('arguments-compact', 'tools/run-bash', 1, 'tool_calls'),
  on('wrong-finish-reason', 'tools/weather', 1, 'finish_reason'),
  on('logprobs-short', 'tools/weather', 1, 'logprobs'),
  on('logprob-not-greedy', 'tokens/log-probs', 1, 'logprobs'),
  on('usage-off-by-one', 'tools/weather', 1, 'usage'),
];
