import { isObject, type Json, type JsonObject, toJs } from '../json/value.ts';
import { conversationVllm, toolsVllm } from './conversation.ts';
import { textVllm } from './detokenize.ts';
import { reasoningQwen3 } from './reasoning.ts';
import { splicePrompt } from './splice.ts';
import { ChatTemplate } from './template.ts';
import { type ChatTokenizer, loadTokenizer } from './tokenizer.ts';
import { type ParsedCall, toolsHermes } from './tools.ts';

/** What the harness itself makes of a generation. */
export interface ParsedMessage {
  reasoning: string | null;
  content: string | null;
  calls: ParsedCall[];
}

/** The harness's own render, tokenize, splice and parse: the third opinion beside golden and lane. */
export class Oracle {
  readonly tokenizer: ChatTokenizer;
  readonly template: ChatTemplate;

  constructor(tokenizer = loadTokenizer(), template = new ChatTemplate(tokenizer.chatTemplate)) {
    this.tokenizer = tokenizer;
    this.template = template;
  }

  /**
   * Prompt ids that NeMo-RL's vLLM server makes of a request body: the last message that carries ids supplies the prefix,
   * the template supplies the rest. Undefined where that server fails instead of answering.
   */
  promptIds(body: JsonObject): number[] | undefined {
    const messages = objects(body.get('messages'));
    const template = this.render(body, messages, true);
    const carrier = messages.findLast((message) => message.has('prompt_token_ids'));
    if (!carrier) return template;
    const prefix = [...idsOf(carrier, 'prompt_token_ids'), ...idsOf(carrier, 'generation_token_ids')];
    const last = messages.findLastIndex((message) => message.get('role') === 'assistant');
    const upToLast = last === -1 ? messages : messages.slice(0, last + 1);
    return splicePrompt({ prefix, templatePrefix: this.render(body, upToLast, false), template })?.ids;
  }

  private render(body: JsonObject, messages: JsonObject[], addGenerationPrompt: boolean): number[] {
    const tools = body.get('tools');
    const kwargs = body.get('chat_template_kwargs');
    const text = this.template.render({
      messages: conversationVllm(messages),
      tools: Array.isArray(tools) && tools.length > 0 ? toolsVllm(tools) : undefined,
      addGenerationPrompt,
      kwargs: isObject(kwargs) ? kwargs : undefined,
    });
    return this.tokenizer.encode(text);
  }

  /** How many tokens the template puts after the text of a last message of this role. */
  tailLength(role: 'user' | 'tool', kwargs: JsonObject | undefined): number {
    const marker = '喹'; // one token that merges with nothing
    const text = this.template.render({
      messages: [
        new Map<string, Json>([
          ['role', role],
          ['content', marker],
        ]),
      ],
      addGenerationPrompt: true,
      kwargs,
    });
    return this.tokenizer.encode(text.slice(text.lastIndexOf(marker) + marker.length)).length;
  }

  /** Message that vLLM's `qwen3` and `hermes` parsers make of generated ids. */
  parse(generation: readonly number[], stopped: boolean, { thinking, tools }: ParseMode): ParsedMessage {
    const text = textVllm(this.tokenizer, generation, stopped);
    const { reasoning, content } = reasoningQwen3(text, thinking);
    if (content === null || !tools) return { reasoning, content, calls: [] };
    return { reasoning, ...toolsHermes(content) };
  }
}

export interface ParseMode {
  /** False only when the request switched thinking off. */
  thinking: boolean;
  /** Whether the request offered tools; without them nothing is parsed for calls. */
  tools: boolean;
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

function idsOf(message: JsonObject, key: string): number[] {
  const ids = toJs(message.get(key) ?? []);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}
