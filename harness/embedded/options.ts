import type { JsonObject } from '../json/value.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import type { Fault } from './fault.ts';
import type { ServerKind } from './kinds.ts';

/** One (temperature, top_p) pair that a sampling gate lets pass. */
export interface SamplingPair {
  temperature: number;
  top_p: number;
}

/** Options of TensorRT-LLM's server that vLLM's has no use for. */
export interface TrtllmOptions {
  /** What a request's `top_k` must equal. @default null */
  topK?: number | null;
  /** Ids that stop besides the model's own two, and are trimmed with them. @default none */
  stopTokenIds?: readonly number[];
  /** The engine's `max_num_tokens`: a longer prompt is refused. @default no limit */
  maxNumTokens?: number;
}

/** What an embedded chat server is started with. */
export interface EmbeddedOptions {
  /** Which server is emulated. */
  server: ServerKind;
  /** Served model name, as answers carry it. */
  model: string;
  codebook: Codebook;
  /** The teleprompter's distance D in tokens. */
  lag: number;
  /** Context window in tokens. */
  maxModelLen: number;
  /**
   * NeMo-RL's generation config. On vLLM requests must carry one of the two pairs; on TensorRT-LLM only the train pair counts,
   * and a request need not carry it.
   */
  sampling: { train: SamplingPair; validation: SamplingPair };
  /** What only TensorRT-LLM's server reads of the generation config and of the engine's. */
  trtllm?: TrtllmOptions;
  /** Plain vLLM's `--enable-scale-out`: without it `/inference/v1/generate` answers 403. @default false */
  scaleOut?: boolean;
  /** Parser names, null for none; TensorRT-LLM then finds its tool parser by the model, `qwen3`. */
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
