import type { JsonObject } from '../json/value.ts';
import type { ChatTokenizer } from '../oracle/tokenizer.ts';

/** What every hook may look at. */
export interface FaultContext {
  tokenizer: ChatTokenizer;
  /** 1 for the first request of a conversation: assistant messages in the request, plus one. */
  turn: number;
}

/** How the prompt came about; without carried ids `prefix` is undefined. */
export interface PromptContext extends FaultContext {
  /** All messages rendered with generation prompt. */
  template: readonly number[];
  /** Messages up to the last assistant one, rendered without generation prompt. */
  templatePrefix: readonly number[];
  prefix: readonly number[] | undefined;
}

/** How a choice came about. */
export interface ChoiceContext extends FaultContext {
  generation: readonly number[];
  /** Detokenized text before any parser. */
  text: string;
  /** What follows the reasoning, before the tool parser. */
  afterReasoning: string;
}

/**
 * A planted defect: data and hooks. The server calls each hook at its named step; a hook returns its input untouched where
 * the defect has nothing to act on, so that a fault fires only where its precondition holds.
 */
export interface Fault {
  name: string;
  /** What is wrong, in one sentence. */
  about: string;
  /** A status that replaces the whole answer. */
  status?(context: FaultContext): number | undefined;
  /** The request before the template sees it. */
  request?(body: JsonObject, context: FaultContext): JsonObject;
  /** The prompt as the engine gets it. */
  prompt?(ids: readonly number[], context: PromptContext): readonly number[];
  /** The generated ids, before they become text. */
  generation?(ids: readonly number[], context: FaultContext): readonly number[];
  /** The assistant message of a choice. */
  message?(message: JsonObject, context: ChoiceContext): JsonObject;
  /** A choice with its message, log-probs and finish reason. */
  choice?(choice: JsonObject, context: ChoiceContext): JsonObject;
  /** The whole answer, usage included. */
  answer?(body: JsonObject, context: FaultContext): JsonObject;
}
