import type { DialectName } from '../domain.ts';
import { isObject, type Json, type JsonObject, toJs } from '../json/value.ts';
import { conversationVllm, toolsVllm } from './conversation.ts';
import { conversationTrtllm } from './conversation-trtllm.ts';
import { type Asked, type Opinion, opinionsOn } from './opinions.ts';
import { type Origin, originsOf, type TracedIds } from './origins.ts';
import type { Outcome, ParsedMessage, ParseMode } from './outcome.ts';
import { generatedText, parseReply, type Speaker } from './speaker.ts';
import { type Splice, splicePrompt } from './splice.ts';
import { ChatTemplate, type RenderInput } from './template.ts';
import { type ChatTokenizer, loadTokenizer } from './tokenizer.ts';
import { toolsVllm032, withObjectArguments } from './vllm-0.32.ts';

/** The harness's own render, tokenize, splice and parse: the third opinion beside golden and lane. */
export class Oracle {
  readonly tokenizer: ChatTokenizer;
  readonly template: ChatTemplate;

  constructor(tokenizer = loadTokenizer(), template = new ChatTemplate(tokenizer.chatTemplate)) {
    this.tokenizer = tokenizer;
    this.template = template;
  }

  /**
   * Prompt ids that a server makes of a request body of ours: on NeMo-RL's servers the last message that carries ids supplies
   * the prefix, the template supplies the rest. Undefined where the server fails instead of answering, or is not known.
   */
  promptIds(server: DialectName, body: JsonObject): number[] | undefined {
    if (server === 'tokens' || server === 'trtllm-serve') return undefined;
    const messages = objects(body.get('messages'));
    const template = this.render(server, body, messages, true);
    const carried = carriedIn(server, messages);
    if (!carried) return template;
    return this.splice(server, body, carried, template)?.ids;
  }

  /**
   * The same ids with what each of them came from. `earlier` are prompts of earlier turns: where the carried ids begin with one
   * of them, its origins hold on; other carried ids have none. Undefined where the server fails instead, or is not known.
   */
  tracePrompt(
    server: DialectName,
    body: JsonObject,
    earlier: readonly TracedIds[] = [],
  ): TracedIds | undefined {
    const ids = this.promptIds(server, body);
    if (!ids) return undefined;
    const messages = objects(body.get('messages'));
    const template = this.render(server, body, messages, true);
    const spans = this.template.trace(this.renderInput(server, body, messages, true));
    const origins = originsOf(this.tokenizer, spans, template);
    const carried = carriedIn(server, messages);
    const splice = carried && this.splice(server, body, carried, template);
    if (!carried || !splice) return { ids, origins };
    const known = earlier.find((prompt) => String(prompt.ids) === String(carried.prompt));
    const prefix = [
      ...(known?.origins ?? carried.prompt.map((): Origin[] => [])),
      ...carried.generation.map((): Origin[] => [{ from: 'carried', index: carried.index }]),
    ];
    return { ids, origins: [...prefix.slice(0, splice.kept), ...origins.slice(splice.cut)] };
  }

  private splice(
    server: DialectName,
    body: JsonObject,
    { prompt, generation }: Carried,
    template: readonly number[],
  ): Splice | undefined {
    const messages = objects(body.get('messages'));
    const last = messages.findLastIndex((message) => message.get('role') === 'assistant');
    const upToLast = last === -1 ? messages : messages.slice(0, last + 1);
    const templatePrefix = this.render(server, body, upToLast, false);
    return splicePrompt({ prefix: [...prompt, ...generation], templatePrefix, template });
  }

  private render(...asked: Parameters<Oracle['renderInput']>): number[] {
    return this.tokenizer.encode(this.template.render(this.renderInput(...asked)));
  }

  private renderInput(
    server: DialectName,
    body: JsonObject,
    messages: JsonObject[],
    addGenerationPrompt: boolean,
  ): RenderInput {
    const tools = body.get('tools');
    const kwargs = body.get('chat_template_kwargs');
    return {
      messages: conversation(server, messages),
      tools: Array.isArray(tools) && tools.length > 0 ? shownTools(server, tools) : undefined,
      addGenerationPrompt,
      kwargs: isObject(kwargs) ? kwargs : undefined,
    };
  }

  /** How many tokens the template puts after the text of a last message of this role. */
  tailLength(role: 'user' | 'tool', kwargs: JsonObject | undefined): number {
    const marker = '喹'; // one token that merges with nothing
    const message = new Map<string, Json>([
      ['role', role],
      ['content', marker],
    ]);
    const text = this.template.render({ messages: [message], addGenerationPrompt: true, kwargs });
    return this.tokenizer.encode(text.slice(text.lastIndexOf(marker) + marker.length)).length;
  }

  /** Text of generated ids, the terminal stop id left out, as the server's detokenizer gives it. */
  text(server: DialectName, generation: readonly number[]): string {
    return generatedText(this.tokenizer, server, generation);
  }

  /** What a server's parsers make of generated ids or of a text. */
  reply(speaker: Speaker, said: readonly number[] | string, mode: ParseMode): Outcome {
    return parseReply(this.tokenizer, speaker, said, mode);
  }

  /** The message of {@link reply}; undefined where the server fails or its parsers are not known. */
  parse(speaker: Speaker, said: readonly number[] | string, mode: ParseMode): ParsedMessage | undefined {
    const reply = this.reply(speaker, said, mode);
    return reply.outcome === 'message' ? reply.message : undefined;
  }

  /** What every engine with such parsers makes of the same reply; `saidBy` tells which of them a message came from. */
  opinions(said: readonly number[] | string, asked: Asked): Opinion[] {
    return opinionsOn(this.tokenizer, said, asked);
  }
}

/** Ids that a message brings with it, and the message's place. */
interface Carried {
  index: number;
  prompt: number[];
  generation: number[];
}

/** What the last message that carries ids supplies; plain vLLM does not look at it. */
function carriedIn(server: DialectName, messages: readonly JsonObject[]): Carried | undefined {
  if (server === 'vllm-serve') return undefined;
  const index = messages.findLastIndex((message) => message.has('prompt_token_ids'));
  const message = messages[index];
  if (!message) return undefined;
  return {
    index,
    prompt: idsOf(message, 'prompt_token_ids'),
    generation: idsOf(message, 'generation_token_ids'),
  };
}

/** Messages as the engine hands them to the template. */
function conversation(server: DialectName, messages: JsonObject[]): JsonObject[] {
  if (server === 'nemo-rl-trtllm') return conversationTrtllm(messages);
  return conversationVllm(server === 'vllm-serve' ? messages.map(withObjectArguments) : messages);
}

/** Tool definitions as they reach the template: TensorRT-LLM's server passes them on, vLLM dumps them anew. */
function shownTools(server: DialectName, tools: Json[]): Json[] {
  if (server === 'nemo-rl-trtllm') return tools;
  return server === 'vllm-serve' ? toolsVllm032(tools) : toolsVllm(tools);
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

function idsOf(message: JsonObject, key: string): number[] {
  const ids = toJs(message.get(key) ?? []);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}
