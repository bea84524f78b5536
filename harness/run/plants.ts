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

const BOTH = ['embedded-vllm', 'embedded-trtllm'];
const VLLM = ['embedded-vllm'];
const TRTLLM = ['embedded-trtllm'];

const on = (lanes: string[], fault: string, scenario: string, turn: number, field: Field): Plant[] =>
  lanes.map((lane) => ({ fault, lane, scenario, turn, field, exitCode: 1 }));

/** One entry per fault and lane that it can act on (harness/embedded/faults.ts). */
export const PLANTS: readonly Plant[] = [
  ...on(BOTH, 'error-on-turn-two', 'tools/weather', 2, 'http_status'),
  ...on(BOTH, 'sorted-schema-keys', 'tools/schema-numbers', 1, 'prompt_token_ids'),
  ...on(BOTH, 'enable-thinking-ignored', 'reasoning/flipped', 2, 'prompt_token_ids'),
  ...on(BOTH, 'thinking-default-off', 'basics/library-hours', 1, 'prompt_token_ids'),
  ...on(BOTH, 'schema-redumped', 'tools/weather', 1, 'prompt_token_ids'),
  ...on(BOTH, 'ids-of-other-turn', 'basics/twelve-turns', 3, 'prompt_token_ids'),
  ...on(BOTH, 'prefix-ignored', 'tools/weather', 3, 'prompt_token_ids'),
  ...on(BOTH, 'positional-splice', 'basics/library-hours', 2, 'prompt_token_ids'),
  ...on(BOTH, 'retokenized-history', 'tokens/split-words', 2, 'prompt_token_ids'),
  ...on(BOTH, 'user-message-lost', 'basics/library-hours', 2, 'prompt_token_ids'),
  ...on(BOTH, 'user-message-vanishes', 'basics/library-hours', 2, 'prompt_token_ids'),
  ...on(BOTH, 'turn-separator-lost', 'basics/system-prompt', 2, 'prompt_token_ids'),
  ...on(BOTH, 'generation-prompt-lost', 'basics/system-prompt', 1, 'prompt_token_ids'),
  ...on(TRTLLM, 'unpack-broken', 'tools/weather', 1, 'http_status'),
  ...on(TRTLLM, 'stop-id-list-incomplete', 'tokens/end-of-text', 1, 'generation_token_ids'),
  ...on(VLLM, 'eos-trimmed', 'tools/weather', 1, 'generation_token_ids'),
  ...on(TRTLLM, 'eos-kept', 'tools/weather', 1, 'generation_token_ids'),
  ...on(BOTH, 'flipped-generation-id', 'tools/weather', 1, 'generation_token_ids'),
  ...on(VLLM, 'half-character-replaced', 'limits/cut-in-emoji', 1, 'content'),
  ...on(TRTLLM, 'half-character-dropped', 'limits/cut-in-emoji', 1, 'content'),
  ...on(BOTH, 'special-tokens-skipped', 'tokens/special-ids', 1, 'content'),
  ...on(BOTH, 'eos-text-in-content', 'basics/library-hours', 1, 'content'),
  ...on(BOTH, 'reasoning-in-content', 'reasoning/on', 1, 'reasoning'),
  ...on(BOTH, 'reasoning-field-renamed', 'reasoning/on', 1, 'reasoning'),
  ...on(TRTLLM, 'reasoning-start-assumed', 'reasoning/off', 1, 'reasoning'),
  ...on(BOTH, 'content-stripped', 'reasoning/on', 1, 'content'),
  ...on(BOTH, 'ids-missing', 'tools/weather', 1, 'prompt_token_ids'),
  ...on(BOTH, 'tool-calls-dropped', 'tools/weather', 1, 'tool_calls'),
  ...on(BOTH, 'tool-calls-as-text', 'tools/parallel-calls', 1, 'tool_calls'),
  ...on(BOTH, 'later-calls-lost', 'tools/parallel-calls', 1, 'tool_calls'),
  ...on(TRTLLM, 'bad-block-hides-good', 'tools/bad-block-among-good', 1, 'tool_calls'),
  ...on(BOTH, 'text-before-call-lost', 'tools/text-around-calls', 1, 'content'),
  ...on(TRTLLM, 'call-stripped-content-kept', 'tools/text-around-calls', 1, 'content'),
  ...on(BOTH, 'escaped-arguments', 'text/emoji', 1, 'tool_calls'),
  ...on(BOTH, 'arguments-compact', 'tools/run-bash', 1, 'tool_calls'),
  ...on(BOTH, 'wrong-finish-reason', 'tools/weather', 1, 'finish_reason'),
  ...on(BOTH, 'finish-length-masked', 'limits/cut-in-call', 1, 'finish_reason'),
  ...on(BOTH, 'logprobs-short', 'tools/weather', 1, 'logprobs'),
  ...on(VLLM, 'logprob-not-greedy', 'tokens/log-probs', 1, 'logprobs'),
  ...on(BOTH, 'usage-off-by-one', 'tools/weather', 1, 'usage'),
];
