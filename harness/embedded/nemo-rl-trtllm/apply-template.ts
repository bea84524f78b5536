import { truthy } from '../../json/truthy.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { ChatTemplate } from '../../oracle/template.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import { exception } from '../refusal.ts';

/** One call of transformers' `apply_chat_template`, to which NeMo-RL hands every template variable as an argument. */
export interface TemplateCall {
  messages: JsonObject[];
  /** The request's tools if it has any; they win over tools among the variables. */
  tools: Json | undefined;
  kwargs: JsonObject;
  addGenerationPrompt: boolean;
}

/** Arguments that are passed already, or that make the result something other than a list of ids. */
const TAKEN = ['self', 'conversation', 'conversations', 'messages'];
/** Arguments of the call itself, which the template never sees. */
const OWN = new Set([
  ...['chat_template', 'continue_final_message', 'tokenize', 'padding', 'truncation', 'max_length'],
  ...['return_tensors', 'return_dict', 'return_assistant_tokens_mask', 'tokenizer_kwargs'],
]);
/** What transformers gives every template of this tokenizer. */
const SPECIAL: readonly [string, Json][] = [
  ['eos_token', '<|im_end|>'],
  ['pad_token', '<|endoftext|>'],
];

/**
 * Ids of a rendered conversation (transformers 5.19, Qwen3's tokenizer). A `chat_template` among the variables replaces the
 * tokenizer's, `truncation` with `max_length` cuts the prompt. Throws what is answered with 500.
 */
export function applyTemplate(
  { messages, tools, kwargs, addGenerationPrompt }: TemplateCall,
  { tokenizer, template }: { tokenizer: ChatTokenizer; template: ChatTemplate },
): number[] {
  checkArguments(kwargs);
  const variables = [...SPECIAL, ...kwargs].filter(([key]) => !OWN.has(key));
  try {
    const text = templateOf(kwargs.get('chat_template') ?? null, template).render({
      messages,
      tools: toolsOf(tools ?? kwargs.get('tools') ?? null),
      addGenerationPrompt,
      kwargs: new Map(variables),
    });
    return truncated(tokenizer.encode(text), kwargs);
  } catch (error) {
    throw exception(`the template failed: ${error instanceof Error ? error.message : error}`);
  }
}

function checkArguments(kwargs: JsonObject): void {
  const taken = TAKEN.find((key) => kwargs.has(key));
  if (taken !== undefined) throw exception(`${taken} is given twice`);
  if (truthy(kwargs.get('continue_final_message'))) throw exception('no final message to continue');
  if ((kwargs.get('return_tensors') ?? null) !== null) throw exception('a tensor is no list of ids');
  if (truthy(kwargs.get('tokenizer_kwargs'))) throw exception('tokenizer_kwargs');
  const documents = kwargs.get('documents') ?? null;
  const isSound = documents === null || (Array.isArray(documents) && documents.every(isObject));
  if (!isSound) throw exception('documents are a list of objects');
}

/** A list, or whatever Python iterates over without meeting anything. */
function toolsOf(tools: Json): Json[] | undefined {
  if (tools === null) return undefined;
  if (Array.isArray(tools)) return tools;
  if (tools === '' || (isObject(tools) && tools.size === 0)) return [];
  throw exception('tools are a list of objects');
}

const compiled = new Map<string, ChatTemplate>();

/** Templates that came with requests are kept, as they come again with every turn. */
function templateOf(source: Json, own: ChatTemplate): ChatTemplate {
  if (source === null) return own;
  if (typeof source !== 'string') throw exception('a template that is no text');
  const known = compiled.get(source) ?? new ChatTemplate(source);
  if (compiled.size > 100) compiled.clear();
  compiled.set(source, known);
  return known;
}

function truncated(ids: number[], kwargs: JsonObject): number[] {
  const how = kwargs.get('truncation') ?? false;
  if (how === false || how === 'do_not_truncate') return ids;
  if (how !== true && how !== 'longest_first' && how !== 'only_first') throw exception('truncation');
  const length = kwargs.get('max_length') ?? null;
  if (length === null) return ids;
  if (!(length instanceof JsonNumber) || !length.isInteger || length.value < 0) throw exception('max_length');
  return ids.slice(0, length.value);
}
