import { ConversationError, conversationVllm, PART_TYPES, toolsVllm } from '../../oracle/conversation.ts';
import { reasoningQwen3 } from '../../oracle/reasoning.ts';
import { exception, refusedCheck } from '../refusal.ts';
import { callsCustomTool } from './tool-calls.ts';
import type { VllmVersion } from './version.ts';

/** vLLM 0.25.1, the version that NeMo-RL pins. */
export const VLLM_0_25: VllmVersion = {
  name: '0.25.1',
  fingerprint: 'vllm-0.25.1-74bb39c8',
  conversation(messages) {
    if (messages.some(callsCustomTool)) throw exception('a tool call without function');
    try {
      return conversationVllm(messages);
    } catch (error) {
      if (!(error instanceof ConversationError)) throw error;
      if (error.unknownPart === undefined) throw exception(error.message);
      throw unknownPart(error.unknownPart, PART_TYPES);
    }
  },
  tools: toolsVllm,
  countsReasoning: false,
  hidesTokens: false,
  newStream: false,
  split: reasoningQwen3,
};

/** The refusal of a content part whose type no engine knows. */
export const unknownPart = (type: string, known: readonly string[]): Error =>
  refusedCheck({
    message: `Unsupported chat content part type: '${type}'. Supported types: ${known.join(', ')}.`,
    parameter: 'type',
    value: type,
  });
