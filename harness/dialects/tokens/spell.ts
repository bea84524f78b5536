import type { DialectName } from '../../domain.ts';
import { fromJs, type Json, type JsonObject } from '../../json/value.ts';
import type { ParsedMessage } from '../../oracle/speaker.ts';

/** Which ids a message rests on, as NeMo-RL's servers put them on it. */
export interface MessageIds {
  prompt: readonly number[];
  generation: readonly number[];
}

/**
 * A message that the oracle parsed, as a server kind spells it: vLLM has `reasoning`, TensorRT-LLM `reasoning_content`, and both
 * leave `tool_calls` out when there are none. Call ids, random on servers, tell the calls of a conversation apart here.
 */
export function spelledMessage(
  kind: DialectName,
  { reasoning, content, calls }: ParsedMessage,
  { prompt, generation }: MessageIds,
): JsonObject {
  const message: JsonObject = new Map<string, Json>([
    ['role', 'assistant'],
    ['content', content],
    [kind === 'nemo-rl-trtllm' ? 'reasoning_content' : 'reasoning', reasoning],
  ]);
  if (calls.length > 0) {
    const spelled = calls.map((call, index) => ({
      id: `call_${prompt.length}_${index + 1}`,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
    message.set('tool_calls', fromJs(spelled));
  }
  message.set('prompt_token_ids', fromJs(prompt));
  return message.set('generation_token_ids', fromJs(generation));
}
