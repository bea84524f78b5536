import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { Oracle } from './oracle.ts';
import { originName, type TracedIds } from './origins.ts';
import { ChatTemplate } from './template.ts';
import { loadTokenizer } from './tokenizer.ts';

const tokenizer = loadTokenizer();
const oracle = new Oracle();

const object = (text: string): JsonObject => {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error('the test wants an object');
  return value;
};

const REQUEST = object(`{
  "tools": [{"type": "function", "function": {"name": "alpha", "parameters": {}}}],
  "chat_template_kwargs": {"enable_thinking": false},
  "messages": [
    {"role": "system", "content": "bravo"},
    {"role": "user", "content": "charlie"},
    {"role": "assistant", "content": "delta", "tool_calls": [
      {"id": "1", "type": "function", "function": {"name": "alpha", "arguments": "{\\"x\\": \\"echo\\"}"}},
      {"id": "2", "type": "function", "function": {"name": "alpha", "arguments": "{}"}}
    ]},
    {"role": "tool", "tool_call_id": "1", "content": "foxtrot"},
    {"role": "tool", "tool_call_id": "2", "content": "golf"},
    {"role": "assistant", "content": "hotel e\u0301"},
    {"role": "user", "content": "india 喹"}
  ]
}`);

/** Text of a prompt's ids by the name of their origin, in order. */
function texts({ ids, origins }: TracedIds, request: JsonObject): string[] {
  const messages = request.get('messages');
  const list: Json[] = Array.isArray(messages) ? messages : [];
  const out: [name: string, ids: number[]][] = [];
  for (const [index, id] of ids.entries()) {
    const name = (origins[index] ?? []).map((origin) => originName(origin, list)).join(' + ') || 'unknown';
    const last = out.at(-1);
    if (last?.[0] === name) last[1].push(id);
    else out.push([name, [id]]);
  }
  return out.map(([name, some]) => `${name}: ${JSON.stringify(tokenizer.decode(some)).slice(0, 150)}`);
}

const traced = (request: JsonObject, from: Oracle = oracle): TracedIds => {
  const found = from.tracePrompt('nemo-rl-vllm', request);
  if (!found) throw new Error('no prompt');
  return found;
};

describe('every id of a rendered prompt is named by what it came from', () => {
  test("with Qwen3's template", () => {
    expect(texts(traced(REQUEST), REQUEST)).toMatchInlineSnapshot(`
      [
        "tools: "<|im_start|>system\\n"",
        "system: "bravo\\n\\n"",
        "tools: "# Tools\\n\\nYou may call one or more functions to assist with the user query.\\n\\nYou are provided with function signatures within <tools></tools> XML ",
        "user turn 1: "<|im_start|>user\\ncharlie<|im_end|>\\n"",
        "assistant turn 1: "<|im_start|>assistant\\ndelta\\n<tool_call>\\n{\\"name\\": \\"alpha\\", \\"arguments\\": {\\"x\\": \\"echo\\"}}\\n</tool_call>\\n<tool_call>\\n{\\"name\\": \\"alpha\\", ",
        "tool result 1 turn 2: "<|im_start|>user\\n<tool_response>\\nfoxtrot\\n</tool_response>"",
        "tool result 2 turn 2: "\\n<tool_response>\\ngolf\\n</tool_response><|im_end|>\\n"",
        "assistant turn 2: "<|im_start|>assistant\\nhotel é<|im_end|>\\n"",
        "user turn 3: "<|im_start|>user\\nindia 喹<|im_end|>\\n"",
        "generation prompt: "<|im_start|>assistant\\n<think>\\n\\n</think>\\n\\n"",
      ]
    `);
  });

  test('with a template that keeps the system message in a variable', () => {
    const source = readFileSync(new URL('../../ci/templates/prefilled.jinja', import.meta.url), 'utf8');
    const other = new Oracle(tokenizer, new ChatTemplate(source));
    expect(texts(traced(REQUEST, other), REQUEST).map((line) => line.slice(0, 70))).toMatchInlineSnapshot(`
      [
        "system: "<|im_start|>system\\nbravo\\n\\nTools, one a line:\\n"",
        "tools: "{\\"type\\": \\"function\\", \\"function\\": {\\"name\\": \\"alpha\\", \\",
        "user turn 1: "<|im_start|>user\\ncharlie<|im_end|>\\n"",
        "assistant turn 1: "<|im_start|>assistant\\ndelta\\n<tool_call>\\n{\\"name\\",
        "tool result 1 turn 2: "<|im_start|>tool\\nfoxtrot<|im_end|>\\n"",
        "tool result 2 turn 2: "<|im_start|>tool\\ngolf<|im_end|>\\n"",
        "assistant turn 2: "<|im_start|>assistant\\nhotel é<|im_end|>\\n"",
        "user turn 3: "<|im_start|>user\\nindia 喹<|im_end|>\\n"",
        "generation prompt: "<|im_start|>assistant\\n<think>\\n"",
      ]
    `);
  });

  test('a token that reaches over a border has both names', () => {
    const source =
      '{% for m in messages %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}{{ "\\n" }}{% endif %}';
    const request = object('{"messages": [{"role": "user", "content": "a\\n"}]}');
    expect(
      texts(traced(request, new Oracle(tokenizer, new ChatTemplate(source))), request),
    ).toMatchInlineSnapshot(`
      [
        "user turn 1: "a"",
        "user turn 1 + generation prompt: "\\n\\n"",
      ]
    `);
  });
});

test('carried ids keep the names of the prompt they came from, and have none where that is not known', () => {
  const first = object(
    '{"messages": [{"role": "system", "content": "be"}, {"role": "user", "content": "one"}]}',
  );
  const prompt = traced(first);
  const answer = tokenizer.encode('<think>\nHm.\n</think>\n\nYes.<|im_end|>');
  const second = new Map<string, Json>([
    [
      'messages',
      [
        object('{"role": "system", "content": "be"}'),
        object('{"role": "user", "content": "one"}'),
        object(
          `{"role": "assistant", "content": "Yes.", "prompt_token_ids": [${prompt.ids}], "generation_token_ids": [${answer}]}`,
        ),
        object('{"role": "user", "content": "two"}'),
      ],
    ],
  ]);
  const known = oracle.tracePrompt('nemo-rl-vllm', second, [prompt]);
  expect(known && texts(known, second)).toMatchInlineSnapshot(`
    [
      "system: "<|im_start|>system\\nbe<|im_end|>\\n"",
      "user turn 1: "<|im_start|>user\\none<|im_end|>\\n"",
      "generation prompt: "<|im_start|>assistant\\n"",
      "assistant turn 1 (carried ids): "<think>\\nHm.\\n</think>\\n\\nYes."",
      "assistant turn 1: "<|im_end|>\\n"",
      "user turn 2: "<|im_start|>user\\ntwo<|im_end|>\\n"",
      "generation prompt: "<|im_start|>assistant\\n"",
    ]
  `);
  expect(texts(traced(second), second)[0]).toMatch(/^unknown: /);
});

test('a template that prints whole messages is not traced, for the trace would show', () => {
  const template = new ChatTemplate('{% for m in messages %}{{ m | tojson }}{% endfor %}');
  const input = { messages: [object('{"role": "user", "content": "x"}')], addGenerationPrompt: true };
  expect(template.trace(input)).toBeUndefined();
  const request = new Map<string, Json>([['messages', input.messages]]);
  expect(texts(traced(request, new Oracle(tokenizer, template)), request)[0]).toMatch(/^unknown: /);
});

test('tracing changes no prompt of the probes that Python rendered', () => {
  const file = new URL('./python/oracle.vectors.json', import.meta.url);
  const { chat } = JSON.parse(readFileSync(file, 'utf8')) as { chat: { request: string; error?: string }[] }; // our own generator's shape
  const template = new ChatTemplate(tokenizer.chatTemplate);
  const rendered = chat.filter(({ error }) => error === undefined);
  for (const { request } of rendered) {
    const given = object(request);
    const messages = given.get('messages');
    const tools = given.get('tools');
    const kwargs = given.get('kwargs');
    const spans = template.trace({
      messages: Array.isArray(messages) ? messages.filter(isObject) : [],
      tools: Array.isArray(tools) ? tools : undefined,
      kwargs: isObject(kwargs) ? kwargs : undefined,
      addGenerationPrompt: given.get('add_generation_prompt') === true,
    });
    expect(spans, request).toBeDefined();
  }
  expect(rendered.length).toBeGreaterThan(150);
});
