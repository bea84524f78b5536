import type { Json, JsonObject } from '../../json/value.ts';
import type { ReasoningSplit } from '../../oracle/reasoning.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';

/** What the emulated versions of vLLM do differently, as far as an answer shows it. */
export interface VllmVersion {
  name: '0.25.1' | '0.32.0';
  /** The version and a hash of its configuration, as the recorded server printed them. */
  fingerprint: string;
  /** Messages as the template gets them. Throws {@link RefusedError} for what the version refuses. */
  conversation(messages: readonly JsonObject[], model: string): JsonObject[];
  /** Tool definitions as the template gets them. */
  tools(tools: readonly Json[]): Json[];
  /** Whether usage counts reasoning tokens, and answers have the keys that came with that. */
  countsReasoning: boolean;
  /** Whether `include_reasoning: false` also hides log-probs and generated ids. */
  hidesTokens: boolean;
  /**
   * Whether streams are those of 0.32: every log-prob gets a chunk, calls come beside a null content, hidden reasoning is a
   * null, the last chunk has the fingerprint, usage can come with every chunk.
   */
  newStream: boolean;
  /** The `qwen3` reasoning parser. */
  split(text: string, thinking: boolean, tokenizer: ChatTokenizer): ReasoningSplit;
}
