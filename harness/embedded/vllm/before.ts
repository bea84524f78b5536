import { truthy } from '../../json/truthy.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { checkText, exception, type RefusedError, refusedRequest } from '../refusal.ts';
import { notIterable, repr } from './python-repr.ts';

/**
 * The request model's checks that run before its fields are read, in the order in which pydantic runs them (last defined
 * first). The first one that fails ends the request: 422 with the whole body as `input`. May set `tool_choice`.
 * Throws {@link RefusedError}.
 */
export function checkBefore(body: JsonObject): void {
  const messages = body.get('messages');
  // Two validators walk over the messages unasked: what cannot be walked over is a TypeError.
  if (messages === null || typeof messages === 'boolean' || messages instanceof JsonNumber) {
    throw exception('messages cannot be iterated', notIterable(messages));
  }
  checkGenerationPrompt(body);
  checkTools(body);
  checkLogprobs(body);
  if (truthy(body.get('stream_options')) && !truthy(body.get('stream'))) {
    throw refusal(body, 'Stream options can only be defined when `stream=True`.', 'stream_options');
  }
}

function checkGenerationPrompt(body: JsonObject): void {
  if (!truthy(body.get('continue_final_message')) || !truthy(body.get('add_generation_prompt'))) return;
  throw refusal(body, 'Cannot set both `continue_final_message` and `add_generation_prompt` to True.');
}

function checkTools(body: JsonObject): void {
  const tools = body.get('tools');
  if (Array.isArray(tools) && tools.length === 0) {
    const message =
      '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.';
    throw refusal(body, message, 'tools');
  }
  if (!body.has('tool_choice') && truthy(tools)) body.set('tool_choice', 'auto');
  const choice = body.get('tool_choice');
  if (choice === undefined || choice === null || choice === 'none') return;
  if (tools === undefined || tools === null) {
    throw refusal(body, 'When using `tool_choice`, `tools` must be set.', 'tool_choice');
  }
  if (isObject(choice)) checkNamedTool(body, choice, tools);
  else if (choice !== 'auto' && choice !== 'required') {
    const message =
      `Invalid value for \`tool_choice\`: ${pythonText(choice)}! ` +
      'Only named tools, "none", "auto" or "required" are supported.';
    throw refusal(body, message, 'tool_choice');
  }
}

const USAGE = 'Correct usage: `{"type": "function", "function": {"name": "my_function"}}`';

function checkNamedTool(body: JsonObject, choice: JsonObject, tools: Json): void {
  const fn = choice.get('function');
  if (!isObject(fn)) {
    const message = `Invalid value for \`function\`: \`${pythonText(fn ?? null)}\` in \`tool_choice\`! ${USAGE}`;
    throw refusal(body, message, 'tool_choice.function');
  }
  const name = fn.get('name');
  if (name === undefined) {
    const message = `Expected field \`name\` in \`function\` in \`tool_choice\`! ${USAGE}`;
    throw refusal(body, message, 'tool_choice.function.name');
  }
  if (typeof name !== 'string' || name === '') {
    const message = `Invalid \`name\` in \`function\`: \`${pythonText(name)}\` in \`tool_choice\`! ${USAGE}`;
    throw refusal(body, message, 'tool_choice.function.name');
  }
  const known = Array.isArray(tools) && tools.some((tool) => toolName(tool) === name);
  if (known) return;
  const message = 'The tool specified in `tool_choice` does not match any of the specified `tools`';
  throw refusal(body, message, 'tool_choice');
}

function toolName(tool: Json): Json | undefined {
  const fn = isObject(tool) ? tool.get('function') : undefined;
  return isObject(fn) ? fn.get('name') : undefined;
}

function checkLogprobs(body: JsonObject): void {
  const top = body.get('top_logprobs');
  if (top === undefined || top === null) return;
  const count = typeof top === 'boolean' ? Number(top) : top instanceof JsonNumber ? top.value : undefined;
  if (count === undefined) throw notInteger(top);
  if (count < 0 && count !== -1) {
    throw refusal(body, '`top_logprobs` must be a positive value or -1.', 'top_logprobs', count);
  }
  if (count !== 0 && !truthy(body.get('logprobs'))) {
    throw refusal(body, 'when using `top_logprobs`, `logprobs` must be set to true.', 'top_logprobs');
  }
}

/** A TypeError on 0.25.1; 0.32 foresees it. */
function notInteger(top: Json): RefusedError {
  const message = '`top_logprobs` must be an integer.';
  const check = { message, parameter: 'top_logprobs', value: typeof top === 'string' ? top : repr(top) };
  return exception('top_logprobs is compared with a number', checkText(check), 'top_logprobs');
}

const refusal = (
  body: JsonObject,
  message: string,
  parameter?: string,
  value?: string | number,
): RefusedError => refusedRequest(body, { message, parameter, value });

function pythonText(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value instanceof JsonNumber ? value.lexeme : typeof value === 'string' ? value : '…';
}
