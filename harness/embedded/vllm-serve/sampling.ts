import { pythonFloat } from '../../json/print.ts';
import { VOCABULARY } from '../../oracle/tokenizer.ts';
import { type Check, refusedCheck } from '../refusal.ts';
import type { ChatRequest } from '../vllm/request.ts';

/** `max_logprobs`, vLLM's default. */
const MOST_LOGPROBS = 20;
/** `VLLM_MAX_N_SEQUENCES`, its default. */
const MOST_CHOICES = 16_384;
/** Below this temperature vLLM samples greedily. */
const GREEDY = 1e-5;

/** What of a request decides how is sampled; null takes vLLM's own default, as with `--generation-config vllm`. */
export type Sampled = Pick<
  ChatRequest,
  | 'n'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'min_p'
  | 'repetition_penalty'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'min_tokens'
  | 'stop'
  | 'stop_token_ids'
>;

type Problem = Check | false;

/** The checks of vLLM's `SamplingParams` and of the engine's door, in their order. Throws for the first that fails. */
export function checkSampling(request: Sampled, maxTokens: number, logprobs: number): void {
  const n = request.n ?? 1;
  const temperature = request.temperature ?? 1;
  const { min_tokens: minTokens } = request;
  const problems: Problem[] = [
    n < 1 && { message: `n must be at least 1, got ${n}.` },
    n > MOST_CHOICES && { message: tooMany(n) },
    penalty('presence_penalty', request.presence_penalty),
    penalty('frequency_penalty', request.frequency_penalty),
    repetition(request.repetition_penalty ?? 1),
    ...temperatures(temperature),
    topP(request.top_p ?? 1),
    topK(request.top_k ?? 0),
    minP(request.min_p ?? 0),
    maxTokens < 1 && named('max_tokens', `must be at least 1, got ${maxTokens}`, maxTokens),
    minTokens < 0 && { message: `min_tokens must be greater than or equal to 0, got ${minTokens}.` },
    minTokens > maxTokens && {
      message: `min_tokens must be less than or equal to max_tokens=${maxTokens}, got ${minTokens}.`,
    },
    (request.stop ?? []).includes('') && { message: 'stop cannot contain an empty string.' },
    n > 1 && temperature < GREEDY && { message: `n must be 1 when using greedy sampling, got ${n}.` },
    logprobsProblem(logprobs === -1 ? VOCABULARY : logprobs),
    foreignStops((request.stop_token_ids ?? []).filter((id) => id < 0 || id >= VOCABULARY)),
  ];
  const problem = problems.find((entry) => entry !== false);
  if (problem) throw refusedCheck(problem);
}

const named = (parameter: string, demand: string, value: string | number): Check => ({
  message: `${parameter} ${demand}.`,
  parameter,
  value,
});

const tooMany = (n: number): string =>
  `n must be at most ${MOST_CHOICES}, got ${n}. To increase this limit, set the VLLM_MAX_N_SEQUENCES environment variable.`;

function penalty(name: string, given: number | null): Problem {
  const value = given ?? 0;
  return (
    !(value >= -2 && value <= 2) && { message: `${name} must be in [-2, 2], got ${pythonFloat(value)}.` }
  );
}

function repetition(value: number): Problem {
  const got = pythonFloat(value);
  if (!Number.isFinite(value)) return { message: `repetition_penalty must be a finite number, got ${got}.` };
  return value <= 0 && { message: `repetition_penalty must be greater than zero, got ${got}.` };
}

function temperatures(value: number): Problem[] {
  const got = pythonFloat(value);
  const demand = (text: string): Check => named('temperature', `must ${text}, got ${got}`, got);
  return [
    !Number.isFinite(value) && demand('be a finite number'),
    value < 0 && demand('be non-negative'),
    value > 2 && demand('be in [0, 2]'),
  ];
}

function topP(value: number): Problem {
  const got = pythonFloat(value);
  return !(value > 0 && value <= 1) && named('top_p', `must be in (0, 1], got ${got}`, got);
}

const topK = (value: number): Problem =>
  value < -1 && { message: `top_k must be 0 (disable), or at least 1, got ${value}.` };

const minP = (value: number): Problem =>
  !(value >= 0 && value <= 1) && { message: `min_p must be in [0, 1], got ${pythonFloat(value)}.` };

const logprobsProblem = (top: number): Problem =>
  top > MOST_LOGPROBS && {
    message: `Requested sample logprobs of ${top}, which is greater than max allowed: ${MOST_LOGPROBS}`,
    parameter: 'logprobs',
    value: top,
  };

function foreignStops(ids: readonly number[]): Problem {
  const list = `[${ids.join(', ')}]`;
  const message = `token_id(s) ${list} in stop_token_ids contain out-of-vocab token ids. Vocabulary size: ${VOCABULARY}`;
  return ids.length > 0 && { message, parameter: 'stop_token_ids', value: list };
}
