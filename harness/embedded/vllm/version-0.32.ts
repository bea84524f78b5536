import { conversationVllm } from '../../oracle/conversation.ts';
import { reasoningQwen3Dropping, toolsVllm032, withObjectArguments } from '../../oracle/vllm-0.32.ts';
import { exception, refusedCheck } from '../refusal.ts';
import { withTextContent } from './parts-0.32.ts';
import { callsCustomTool } from './tool-calls.ts';
import type { VllmVersion } from './version.ts';

const EMPTY = 'Cannot apply chat template to an empty conversation. Provide at least one message.';
const FUNCTIONS_ONLY = "chat completions only support assistant tool_calls of type 'function'.";

/** vLLM 0.32.0, as its CPU build answered in the recordings. */
export const VLLM_0_32: VllmVersion = {
  name: '0.32.0',
  fingerprint: 'vllm-0.32.0-8a9a90f4',
  conversation(messages, model) {
    if (messages.length === 0) throw exception('no messages', EMPTY);
    if (messages.some(callsCustomTool))
      throw refusedCheck({ message: FUNCTIONS_ONLY, parameter: 'tool_calls' });
    return conversationVllm(messages.map((message) => withObjectArguments(withTextContent(message, model))));
  },
  tools: toolsVllm032,
  countsReasoning: true,
  hidesTokens: true,
  newStream: true,
  split: reasoningQwen3Dropping,
};
