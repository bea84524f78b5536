import { createHash } from 'node:crypto';
import { pythonNumber } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { PythonTemplate } from './jinja.ts';
import { PLACE, type Span, spansOf, tracingVariables } from './tracing.ts';

/** Variables of one rendering; `kwargs` are the request's chat_template_kwargs. */
export interface RenderInput {
  messages: JsonObject[];
  tools?: Json[] | undefined;
  addGenerationPrompt: boolean;
  kwargs?: JsonObject | undefined;
}

/** Python's transformers refuses the request before the template runs. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

/** A chat template that prints JSON as Python's transformers does. */
export class ChatTemplate {
  readonly source: string;
  /** sha256 of the template's text, part of every golden's identity. */
  readonly hash: string;
  private readonly template: PythonTemplate;
  private traced: PythonTemplate | undefined;

  constructor(source: string) {
    this.source = source;
    this.hash = createHash('sha256').update(source).digest('hex');
    this.template = new PythonTemplate(source);
  }

  /** The prompt text. Throws {@link TemplateError} for what transformers refuses, and what the template raises. */
  render(input: RenderInput): string {
    const mark = this.marks(input).next().value;
    return restore(this.template.render(variablesOf(input, mark)), mark);
  }

  /**
   * The prompt text in pieces that say which message, or which other part of the request, they were rendered from. Undefined
   * where the template does with messages what tracing would change. Throws as {@link render} does.
   */
  trace(input: RenderInput): Span[] | undefined {
    const marks = this.marks(input);
    const mark = marks.next().value;
    const sign = marks.next().value;
    this.traced ??= new PythonTemplate(this.source, true);
    const variables = { ...variablesOf(input, mark, PLACE), ...tracingVariables(sign) };
    const spans = spansOf(restore(this.traced.render(variables), mark), sign);
    return spans.map(({ text }) => text).join('') === this.render(input) ? spans : undefined;
  }

  /** Private-use characters that occur nowhere in the input, so that user text can never be mistaken for one. */
  private *marks(input: RenderInput): Generator<string, never> {
    if (input.messages.length === 0) throw new TemplateError('a conversation without messages');
    if (!(input.tools ?? []).every(isObject)) throw new TemplateError('a tool that is no object');
    for (let code = 0xe000; code < 0xf8ff; code++) {
      const mark = String.fromCharCode(code);
      const used =
        this.source.includes(mark) ||
        contains(input.messages, mark) ||
        contains(input.tools ?? null, mark) ||
        contains(input.kwargs ?? null, mark);
      if (!used) yield mark;
    }
    throw new Error('the conversation uses every private-use character; no mark is left for numbers');
  }
}

/** The template's variables; `placeKey` names a key under which every message carries its index. */
function variablesOf(input: RenderInput, mark: string, placeKey?: string): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [key, value] of input.kwargs ?? []) variables[key] = toJinja(value, mark);
  variables.messages = input.messages.map((message, index) => {
    const shown = toJinja(message, mark);
    return placeKey === undefined ? shown : Object.assign({}, shown, { [placeKey]: index });
  });
  // transformers passes tools=None when there are none; the template tests truth.
  variables.tools = input.tools ? input.tools.map((tool) => toJinja(tool, mark)) : null;
  variables.add_generation_prompt = input.addGenerationPrompt;
  return variables;
}

/*
 * The template engine holds numbers as doubles and objects by JavaScript's key order, so `1.0`, 2^53+1 and keys such as
 * "2","1" would come out changed. A number travels through it as an object, `{mark: spelling}`, which prints alike with and without
 * `tojson` and is no text. Integer-like keys get the mark in front.
 */

function toJinja(value: Json, mark: string): unknown {
  if (value instanceof JsonNumber) return { [mark]: pythonNumber(value) };
  if (Array.isArray(value)) return value.map((item) => toJinja(item, mark));
  if (value instanceof Map) {
    return Object.fromEntries(
      [...value].map(([key, item]) => [/^\d+$/.test(key) ? mark + key : key, toJinja(item, mark)]),
    );
  }
  return value;
}

function restore(text: string, mark: string): string {
  if (!text.includes(mark)) return text;
  return text.replace(new RegExp(`{"${mark}": "([^"]*)"}`, 'g'), '$1').replaceAll(mark, '');
}

function contains(value: Json, mark: string): boolean {
  if (typeof value === 'string') return value.includes(mark);
  if (Array.isArray(value)) return value.some((item) => contains(item, mark));
  if (value instanceof Map)
    return [...value].some(([key, item]) => key.includes(mark) || contains(item, mark));
  return false;
}
