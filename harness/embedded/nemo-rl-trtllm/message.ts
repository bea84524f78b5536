import { truthy } from '../../json/truthy.ts';
import type { Json, JsonObject } from '../../json/value.ts';
import { reasoningTrtllm } from '../../oracle/reasoning-trtllm.ts';
import type { ParsedCall, ToolParse } from '../../oracle/tools.ts';
import { TrtllmToolError } from '../../oracle/tools-trtllm.ts';
import { exception } from '../refusal.ts';
import { floats, hex, ints } from '../values.ts';
import { logprobOf } from './logprobs.ts';
import type { Chat } from './started.ts';
import { checkTools } from './tools-model.ts';

/** A generated text as the message shows it. */
export interface Reply extends ToolParse {
  reasoning: string;
  /** What the tool parser was given. */
  afterReasoning: string;
}

/** Parses a text. `atStart` undefined: no reasoning parser. Throws what is answered with 500. */
export function parseReply(
  text: string,
  atStart: boolean | undefined,
  tools: Json | undefined,
  { toolParser }: Chat,
): Reply {
  const { reasoning, content } =
    atStart === undefined ? { reasoning: '', content: text } : reasoningTrtllm(text, atStart);
  const unparsed: Reply = { reasoning, content, calls: [], afterReasoning: content };
  if (!truthy(tools) || !toolParser.hasCall(content)) return unparsed;
  checkTools(tools);
  try {
    return { ...unparsed, ...toolParser.parse(content) };
  } catch (error) {
    if (error instanceof TrtllmToolError) throw exception(error.message);
    throw error;
  }
}

/** The assistant message, keys in the server's order; ids are there whether or not log-probs were asked for. */
export function messageOf(
  { content, reasoning, calls }: Reply,
  { prompt, generation }: { prompt: readonly Json[]; generation: readonly number[] },
): JsonObject {
  const message: JsonObject = new Map<string, Json>([
    ['role', 'assistant'],
    ['content', content],
    ['reasoning_content', reasoning],
  ]);
  if (calls.length > 0) message.set('tool_calls', calls.map(toolCall));
  message.set('prompt_token_ids', [...prompt]);
  message.set('generation_token_ids', ints(generation));
  message.set('generation_log_probs', floats(generation.map(logprobOf)));
  return message;
}

const toolCall = ({ name, arguments: text }: ParsedCall): JsonObject =>
  new Map<string, Json>([
    ['id', `call_${hex(8)}`],
    ['type', 'function'],
    [
      'function',
      new Map([
        ['name', name],
        ['arguments', text],
      ]),
    ],
  ]);
