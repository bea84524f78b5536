import { isObject, type JsonObject } from '../../json/value.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { Fault, FaultContext, PromptContext } from '../fault.ts';
import { PLAIN_TYPE, RefusedError } from './errors.ts';
import type { Prompt } from './prompt.ts';

/** A server's planted fault, if any, with what its hooks may look at. */
export interface Planted {
  fault: Fault | undefined;
  context: FaultContext;
}

/** What a fault sees of a request: assistant messages count as answered turns. */
export function plantedFor(fault: Fault | undefined, tokenizer: ChatTokenizer, body: JsonObject): Planted {
  const messages = body.get('messages');
  const list = Array.isArray(messages) ? messages : [];
  const answered = list.filter((entry) => isObject(entry) && entry.get('role') === 'assistant').length;
  return { fault, context: { tokenizer, turn: answered + 1 } };
}

export const plantedRequest = ({ fault, context }: Planted, body: JsonObject): JsonObject =>
  fault?.request?.(body, context) ?? body;

/** Throws the answer of a fault that replaces it. */
export function plantedStatus({ fault, context }: Planted): void {
  const status = fault?.status?.(context);
  if (status === undefined) return;
  throw new RefusedError(
    { status, contentType: PLAIN_TYPE, body: 'Internal Server Error' },
    'planted status',
  );
}

export function plantedPrompt({ fault, context }: Planted, prompt: Prompt): readonly number[] {
  const { template, templatePrefix, prefix } = prompt;
  const seen: PromptContext = { ...context, template, templatePrefix, prefix };
  return fault?.prompt?.(prompt.ids, seen) ?? prompt.ids;
}

export const plantedGeneration = ({ fault, context }: Planted, ids: readonly number[]): readonly number[] =>
  fault?.generation?.(ids, context) ?? ids;
