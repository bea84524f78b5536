import { isObject, type JsonObject } from '../json/value.ts';
import type { ChatTokenizer } from '../oracle/tokenizer.ts';
import { INTERNAL } from './fastapi/answers.ts';
import type { BuiltPrompt, Fault, FaultContext } from './fault.ts';
import { refusedAnswer } from './refusal.ts';

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
  throw refusedAnswer({ ...INTERNAL, status }, 'planted status');
}

export function plantedPrompt(
  { fault, context }: Planted,
  { ids, ...pieces }: BuiltPrompt & { ids: readonly number[] },
): readonly number[] {
  const { template, templatePrefix, prefix } = pieces;
  return fault?.prompt?.(ids, { ...context, template, templatePrefix, prefix }) ?? ids;
}

export const plantedGeneration = ({ fault, context }: Planted, ids: readonly number[]): readonly number[] =>
  fault?.generation?.(ids, context) ?? ids;
