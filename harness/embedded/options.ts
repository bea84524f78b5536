import type { JsonObject } from '../json/value.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import type { Fault } from './fault.ts';

/** One (temperature, top_p) pair that a sampling gate lets pass. */
export interface SamplingPair {
  temperature: number;
  top_p: number;
}

/** What an embedded chat server is started with. */
export interface EmbeddedOptions {
  /** Which server is emulated. */
  server: 'nemo-rl-vllm';
  /** Served model name, as answers carry it. */
  model: string;
  codebook: Codebook;
  /** The teleprompter's distance D in tokens. */
  lag: number;
  /** Context window in tokens. */
  maxModelLen: number;
  /** NeMo-RL's generation config: requests must carry one of the two pairs. */
  sampling: { train: SamplingPair; validation: SamplingPair };
  /** Parser names (`hermes`; `qwen3`), null for none. */
  parsers: { tool: string | null; reasoning: string | null };
  /** Chat template source. @default the tokenizer's own */
  chatTemplate?: string;
  /** Template variables under the request's `chat_template_kwargs`. */
  defaultChatTemplateKwargs?: JsonObject;
  /** A planted defect. @default none */
  fault?: Fault;
  /** @default a free port */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
}
