import type { CauseName } from '../diagnose/causes.ts';
import type { Field } from '../domain.ts';
import type { Finding } from '../schemas/types.ts';

/** Where a planted fault must be caught: the first finding of that scenario, and the exit code of the run. */
export interface Plant {
  fault: string;
  lane: string;
  scenario: string;
  turn: number;
  field: Field;
  exitCode: number;
  /** Layer and cause that must be named; the side that deviates is always the lane. */
  verdict: `${Finding['verdict']} ${CauseName}`;
}

const BOTH = ['embedded-vllm', 'embedded-trtllm'];
const VLLM = ['embedded-vllm'];
const TRTLLM = ['embedded-trtllm'];

const on = (
  lanes: string[],
  fault: string,
  scenario: string,
  turn: number,
  field: Field,
  verdict: Plant['verdict'],
): Plant[] => lanes.map((lane) => ({ fault, lane, scenario, turn, field, exitCode: 1, verdict }));

/** One entry per fault and lane that it can act on (harness/embedded/faults.ts). */
export const PLANTS: readonly Plant[] = [
  ...on(BOTH, 'error-on-turn-two', 'tools/weather', 2, 'http_status', 'ERR server-error'),
  ...on(BOTH, 'sorted-schema-keys', 'tools/schema-numbers', 1, 'prompt_token_ids', 'TMPL schema-key-order'),
  ...on(
    BOTH,
    'enable-thinking-ignored',
    'reasoning/flipped',
    2,
    'prompt_token_ids',
    'REQ thinking-flag-ignored',
  ),
  ...on(BOTH, 'thinking-default-off', 'basics/library-hours', 1, 'prompt_token_ids', 'ENV thinking-default'),
  ...on(BOTH, 'schema-redumped', 'tools/weather', 1, 'prompt_token_ids', 'TMPL schema-redumped'),
  ...on(
    BOTH,
    'ids-of-other-turn',
    'basics/twelve-turns',
    3,
    'prompt_token_ids',
    'SPLICE ids-of-another-turn',
  ),
  ...on(BOTH, 'prefix-ignored', 'tools/weather', 3, 'prompt_token_ids', 'SPLICE prefix-ignored'),
  ...on(BOTH, 'positional-splice', 'basics/library-hours', 2, 'prompt_token_ids', 'SPLICE positional-splice'),
  ...on(
    BOTH,
    'retokenized-history',
    'tokens/split-words',
    2,
    'prompt_token_ids',
    'SPLICE history-retokenized',
  ),
  ...on(BOTH, 'user-message-lost', 'basics/library-hours', 2, 'prompt_token_ids', 'SPLICE message-vanished'),
  ...on(
    BOTH,
    'user-message-vanishes',
    'basics/library-hours',
    2,
    'prompt_token_ids',
    'SPLICE message-vanished',
  ),
  ...on(BOTH, 'turn-separator-lost', 'basics/system-prompt', 2, 'prompt_token_ids', 'SPLICE separator-lost'),
  ...on(
    BOTH,
    'generation-prompt-lost',
    'basics/system-prompt',
    1,
    'prompt_token_ids',
    'TMPL generation-prompt-missing',
  ),
  ...on(TRTLLM, 'unpack-broken', 'tools/weather', 1, 'http_status', 'ERR engine-interface'),
  ...on(
    TRTLLM,
    'stop-id-list-incomplete',
    'tokens/end-of-text',
    1,
    'generation_token_ids',
    'STOP end-of-text-kept',
  ),
  ...on(VLLM, 'eos-trimmed', 'tools/weather', 1, 'generation_token_ids', 'STOP eos-trimmed'),
  ...on(TRTLLM, 'eos-kept', 'tools/weather', 1, 'generation_token_ids', 'STOP eos-kept'),
  ...on(BOTH, 'flipped-generation-id', 'tools/weather', 1, 'generation_token_ids', 'NUM other-id'),
  ...on(VLLM, 'half-character-replaced', 'limits/cut-in-emoji', 1, 'content', 'DETOK half-character'),
  ...on(TRTLLM, 'half-character-dropped', 'limits/cut-in-emoji', 1, 'content', 'DETOK half-character'),
  ...on(BOTH, 'special-tokens-skipped', 'tokens/special-ids', 1, 'content', 'DETOK special-tokens-dropped'),
  ...on(BOTH, 'eos-text-in-content', 'basics/library-hours', 1, 'content', 'DETOK stop-text-kept'),
  ...on(BOTH, 'reasoning-in-content', 'reasoning/on', 1, 'reasoning', 'REAS reasoning-in-content'),
  ...on(BOTH, 'reasoning-field-renamed', 'reasoning/on', 1, 'reasoning', 'SER reasoning-field-name'),
  ...on(TRTLLM, 'reasoning-start-assumed', 'reasoning/off', 1, 'reasoning', 'REAS reasoning-start-assumed'),
  ...on(BOTH, 'content-stripped', 'reasoning/on', 1, 'content', 'REAS content-stripped'),
  ...on(BOTH, 'ids-missing', 'tools/weather', 1, 'prompt_token_ids', 'SER ids-missing'),
  ...on(BOTH, 'tool-calls-dropped', 'tools/weather', 1, 'tool_calls', 'TOOL calls-dropped'),
  ...on(BOTH, 'tool-calls-as-text', 'tools/parallel-calls', 1, 'tool_calls', 'TOOL call-left-as-text'),
  ...on(BOTH, 'later-calls-lost', 'tools/parallel-calls', 1, 'tool_calls', 'TOOL later-calls-lost'),
  ...on(
    TRTLLM,
    'bad-block-hides-good',
    'tools/bad-block-among-good',
    1,
    'tool_calls',
    'TOOL bad-block-among-good',
  ),
  ...on(
    BOTH,
    'text-before-call-lost',
    'tools/text-around-calls',
    1,
    'content',
    'TOOL content-dropped-beside-call',
  ),
  ...on(
    TRTLLM,
    'call-stripped-content-kept',
    'tools/text-around-calls',
    1,
    'content',
    'TOOL content-blanks-beside-call',
  ),
  ...on(BOTH, 'escaped-arguments', 'text/emoji', 1, 'tool_calls', 'SER unicode-escapes'),
  ...on(BOTH, 'arguments-compact', 'tools/run-bash', 1, 'tool_calls', 'SER json-spacing'),
  ...on(BOTH, 'wrong-finish-reason', 'tools/weather', 1, 'finish_reason', 'SER finish-reason-and-calls'),
  ...on(BOTH, 'finish-length-masked', 'limits/cut-in-call', 1, 'finish_reason', 'SER length-masked'),
  ...on(BOTH, 'logprobs-short', 'tools/weather', 1, 'logprobs', 'SER logprobs-miscounted'),
  ...on(VLLM, 'logprob-not-greedy', 'tokens/log-probs', 1, 'logprobs', 'NUM not-greedy'),
  ...on(BOTH, 'usage-off-by-one', 'tools/weather', 1, 'usage', 'SER usage-miscounted'),
];
