import type { JsonObject } from '../json/value.ts';
import type { ChatTokenizer } from '../oracle/tokenizer.ts';
import type { ServerKind } from './kinds.ts';

/** What every hook may look at. */
export interface FaultContext {
  tokenizer: ChatTokenizer;
  /** 1 for the first request of a conversation: assistant messages in the request, plus one. */
  turn: number;
}

/** What a prompt was made of; without carried ids `prefix` is undefined. */
export interface BuiltPrompt {
  /** All messages rendered with generation prompt. */
  template: readonly number[];
  /** Messages up to the last assistant one, rendered without generation prompt. */
  templatePrefix: readonly number[];
  prefix: readonly number[] | undefined;
}

export type PromptContext = FaultContext & BuiltPrompt;

/** How a choice came about. */
export interface ChoiceContext extends FaultContext {
  /** As the engine gave it, stop id included. */
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
  /** The emulations it can act on. @default all of them */
  servers?: readonly ServerKind[];
  /** A status that replaces the whole answer. */
  status?(context: FaultContext): number | undefined;
  /** The request before the template sees it. */
  request?(body: JsonObject, context: FaultContext): JsonObject;
  /** The prompt as the engine gets it. */
  prompt?(ids: readonly number[], context: PromptContext): readonly number[];
  /** The ids that end a generation; only TensorRT-LLM's emulation asks. */
  stopIds?(ids: ReadonlySet<number>, context: FaultContext): ReadonlySet<number>;
  /** The generated ids, before they become text. */
  generation?(ids: readonly number[], context: FaultContext): readonly number[];
  /** The ids an answer carries, where stop ids were trimmed off the `raw` ones; only TensorRT-LLM's emulation trims. */
  trim?(ids: readonly number[], context: FaultContext & { raw: readonly number[] }): readonly number[];
  /** Whether the reasoning parser takes the text to begin inside reasoning; only TensorRT-LLM's emulation asks. */
  startsThinking?(starts: boolean, context: FaultContext): boolean;
  /** The assistant message of a choice. */
  message?(message: JsonObject, context: ChoiceContext): JsonObject;
  /** A choice with its message, log-probs and finish reason. */
  choice?(choice: JsonObject, context: ChoiceContext): JsonObject;
  /** The whole answer, usage included. */
  answer?(body: JsonObject, context: FaultContext): JsonObject;
}

/** Whether a fault can act on a server of this kind. */
export const actsOn = ({ servers }: Fault, kind: ServerKind): boolean => servers?.includes(kind) ?? true;
