import { InvalidError } from '../../errors.ts';
import {
  startsInReasoning,
  TRTLLM_REASONING,
  type TrtllmReasoningName,
} from '../../oracle/reasoning-trtllm.ts';
import { TRTLLM_TOOLS, type TrtllmToolName, type TrtllmToolParser } from '../../oracle/tools-trtllm.ts';

/** Whether a reply is taken to begin inside reasoning, by Python's truth of `enable_thinking`. */
export type ReasoningParser = (enableThinking: boolean) => boolean;

/** TensorRT-LLM finds parsers whatever their case; without a name the tool parser follows from the model type, `qwen3`. */
export function toolParserOf(name: string | null): TrtllmToolParser {
  const key = (name ?? 'qwen3').toLowerCase();
  if (!isToolName(key)) throw unknown('tool', name, Object.keys(TRTLLM_TOOLS));
  return TRTLLM_TOOLS[key];
}

/** NeMo-RL asks `deepseek-r1` whether thinking is on only if it is spelled so; else the registered default holds. */
export function reasoningParserOf(name: string | null): ReasoningParser | null {
  if (name === null) return null;
  const key = TRTLLM_REASONING.find((known) => known === name.toLowerCase());
  if (key === undefined) throw unknown('reasoning', name, TRTLLM_REASONING);
  return (enableThinking) => startsIn(key, name, enableThinking);
}

const startsIn = (key: TrtllmReasoningName, name: string, enableThinking: boolean): boolean =>
  startsInReasoning(key, name === key ? enableThinking : true);

const isToolName = (name: string): name is TrtllmToolName => Object.hasOwn(TRTLLM_TOOLS, name);

const unknown = (kind: string, name: string | null, known: readonly string[]): InvalidError =>
  new InvalidError(`the embedded server does not emulate the ${kind} parser '${name}'`, {
    hint: `it knows: ${known.join(', ')}`,
  });
