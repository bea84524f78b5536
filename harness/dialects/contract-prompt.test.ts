import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedServer, scriptedServer, TOOLS } from '../embedded/fixtures.ts';
import { ofBoth, promptText, requestBody } from './fixtures.ts';

/** How each server builds a prompt of messages, rows 26-49: one request, the prompt as text, or the refusal. */
const GREEDY = { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } };

let vllm: ScriptedServer;
let trtllm: ScriptedServer;
beforeAll(async () => {
  vllm = await scriptedServer([], { sampling: GREEDY });
  const parsers = { tool: 'qwen3', reasoning: 'qwen3' };
  trtllm = await scriptedServer([], { server: 'nemo-rl-trtllm', parsers, sampling: GREEDY });
});
afterAll(() => Promise.all([vllm.close(), trtllm.close()]));

const ask = async (said: readonly unknown[], fields: Record<string, unknown> = {}): Promise<string[]> =>
  (await ofBoth({ vllm, trtllm }, requestBody(said, { max_tokens: 1, ...fields }))).map(promptText);

const turn = (role: string, text: string): string => `<|im_start|>${role}\n${text}<|im_end|>\n`;
const OPEN = '<|im_start|>assistant\n';
const HI = { role: 'user', content: 'hi' };
const PROMPT = turn('user', 'hi') + OPEN;
const FAILED = '500 Internal Server Error';

type Fields = Record<string, unknown>;
type Case<Asked> = [row: number, what: string, asked: Asked, vllm: string, trtllm?: string];

const UNTRUSTED = '400 Chat template is passed with request, but --trust-request-chat-template is not set';

const FIELDS: Case<Fields>[] = [
  [26, 'no generation prompt', { add_generation_prompt: false }, turn('user', 'hi'), PROMPT],
  [27, 'a chat template', { chat_template: 'x' }, UNTRUSTED, PROMPT],
  [27, 'a chat template among the kwargs', { chat_template_kwargs: { chat_template: 'x' } }, UNTRUSTED, 'x'],
  [28, 'nothing said of thinking', {}, PROMPT],
  [28, 'thinking on', { chat_template_kwargs: { enable_thinking: true } }, PROMPT],
  [
    28,
    'thinking off',
    { chat_template_kwargs: { enable_thinking: false } },
    `${PROMPT}<think>\n\n</think>\n\n`,
  ],
  [
    29,
    'kwargs that do no harm',
    { chat_template_kwargs: { tokenize: false, padding: true, mood: 1 } },
    PROMPT,
  ],
  [
    29,
    'kwargs that cut',
    { chat_template_kwargs: { truncation: true, max_length: 5 } },
    PROMPT,
    '<|im_start|>user\nhi<|im_end|>',
  ],
  [29, 'kwargs that fail', { chat_template_kwargs: { return_tensors: 'pt' } }, PROMPT, FAILED],
];

test.each(FIELDS)('row %i: %s', async (_row, _what, fields, first, second = first) => {
  expect(await ask([HI], fields)).toEqual([first, second]);
});

const printedTools = async (tool: unknown): Promise<(string | undefined)[]> =>
  (await ask([HI], { tools: [tool] })).map((text) => /<tools>\n(.*)\n<\/tools>/.exec(text)?.[1]);

test('row 32: a tool in the order and with the keys of the model', async () => {
  const printed = '{"type": "function", "function": {"name": "date", "description": "d", "parameters": {}}}';
  expect(await printedTools(TOOLS[0])).toEqual([printed, printed]);
});

test('row 32: a tool in another order, without a description, with a key of its own', async () => {
  expect(await printedTools({ function: { parameters: {}, name: 'date', x: 1 }, type: 'function' })).toEqual([
    '{"type": "function", "function": {"name": "date", "description": null, "parameters": {}, "x": 1}}',
    '{"function": {"parameters": {}, "name": "date", "x": 1}, "type": "function"}',
  ]);
});

const user = (content: unknown) => ({ role: 'user', content });
const text = (part: string) => ({ type: 'text', text: part });
const AGAIN = turn('user', 'hi') + turn('assistant', '') + PROMPT;

const MESSAGES: Case<unknown[]>[] = [
  [34, 'content as a text', [HI], PROMPT],
  [35, 'content in parts', [user([text('a'), text('b')])], turn('user', 'a\nb') + OPEN],
  [35, 'content of no parts', [user([])], FAILED, turn('user', '') + OPEN],
  [35, 'a part of the responses API', [user([{ type: 'input_text', text: 'a' }])], FAILED],
  [36, 'content null', [HI, { role: 'assistant', content: null }, HI], AGAIN],
  [37, 'content absent', [HI, { role: 'assistant' }, HI], AGAIN],
  [38, 'a key the template does not read', [{ ...HI, name: 'ada' }], PROMPT],
  [44, 'an empty list of calls', [HI, { role: 'assistant', content: '', tool_calls: [] }, HI], AGAIN],
  [46, 'a developer', [{ role: 'developer', content: 'd' }, HI], turn('system', 'd') + PROMPT, PROMPT],
  [46, 'an unknown role', [{ role: 'robot', content: 'd' }, HI], PROMPT],
  [46, 'no role', [{ content: 'd' }, HI], '422 Field required', FAILED],
  [47, 'an image', [user([{ type: 'image_url', image_url: { url: 'http://x/y.png' } }])], FAILED],
];

test.each(MESSAGES)('row %i: %s', async (_row, _what, said, first, second = first) => {
  expect(await ask(said)).toEqual([first, second]);
});

/** A history of one call and its result. */
const called = (fn: Fields, keys: Fields = {}) => [
  HI,
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', ...fn } }],
    ...keys,
  },
  { role: 'tool', content: 'r', tool_call_id: 'c1' },
];
const shown = (args: string, before = ''): string =>
  turn('user', 'hi') +
  turn('assistant', `${before}<tool_call>\n{"name": "f", "arguments": ${args}}\n</tool_call>`) +
  turn('user', '<tool_response>\nr\n</tool_response>') +
  OPEN;
const refused = (why: string): string => `400 tool_calls[0].function.arguments must be ${why}`;
const NONE = { arguments: '{}' };
const THOUGHT = '<think>\nR\n</think>\n\n';

const CALLS: Case<unknown[]>[] = [
  [39, 'reasoning', called(NONE, { reasoning: 'R' }), shown('{}', THOUGHT)],
  [39, 'reasoning_content', called(NONE, { reasoning_content: 'R' }), shown('{}', THOUGHT)],
  [
    39,
    'both, the first of which wins',
    called(NONE, { reasoning: 'R', reasoning_content: 'C' }),
    shown('{}', THOUGHT),
  ],
  [39, 'both, the first empty', called(NONE, { reasoning: '', reasoning_content: 'C' }), shown('{}')],
  [40, 'arguments as text', called({ arguments: '{"b":1.0,"a":2}' }), shown('{"b": 1.0, "a": 2}')],
  [41, 'arguments missing', called({}), '422 Field required', shown('{}')],
  [41, 'arguments null', called({ arguments: null }), '422 Input should be a valid string', shown('{}')],
  [41, 'arguments empty', called({ arguments: '' }), shown('{}'), refused('valid JSON')],
  [42, 'arguments that are not JSON', called({ arguments: '{bad' }), FAILED, refused('valid JSON')],
  [43, 'arguments that are a list', called({ arguments: '[1]' }), shown('[1]'), refused('a JSON object')],
  [
    45,
    'another id of the call',
    called(NONE, { tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', ...NONE } }] }),
    shown('{}'),
  ],
];

test.each(CALLS)('row %i: %s', async (_row, _what, said, first, second = first) => {
  expect(await ask(said)).toEqual([first, second]);
});

test('a reasoning effort counts on vLLM only', async () => {
  expect(await ask([HI], { reasoning_effort: 'none' })).toEqual([`${PROMPT}<think>\n\n</think>\n\n`, PROMPT]);
});
