import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../../oracle/tokenizer.ts';
import { FAILED, json, type ScriptedServer, scriptedServer, TOOLS, told } from '../fixtures.ts';

const TRT = { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3', reasoning: null } } as const;
const tokenizer = loadTokenizer();
const HI = { role: 'user', content: 'hi' };
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([], TRT);
});
afterAll(() => server.close());

const asked = (body: Record<string, unknown>, of = server) =>
  of.chat({ messages: [HI], max_tokens: 1, ...body });
const idsOf = async (answer: Promise<Response>): Promise<number[]> =>
  (await json(answer)).choices[0].message.prompt_token_ids;
const prompt = async (body: Record<string, unknown>, of = server): Promise<string> =>
  tokenizer.decode(await idsOf(asked(body, of)));

const PROMPT = '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n';
const OFF = `${PROMPT}<think>\n\n</think>\n\n`;

describe('template variables', () => {
  const kwargs = (chat_template_kwargs: unknown, of = server) => prompt({ chat_template_kwargs }, of);

  test('of a request lie over those of the server, which lie over enable_thinking', async () => {
    const template = '{{ enable_thinking }} {{ a }} {{ eos_token }}';
    const defaults = new Map<string, string | boolean>([
      ['chat_template', template],
      ['enable_thinking', false],
    ]);
    const other = await scriptedServer([], { ...TRT, defaultChatTemplateKwargs: defaults });
    expect(await kwargs({ a: 'A' }, other)).toBe('False A <|im_end|>');
    expect(await kwargs({ enable_thinking: 1, eos_token: 'E' }, other)).toBe('1  E');
    expect(await kwargs({ chat_template: null }, other)).toBe(OFF);
    await other.close();
    expect(await kwargs({ chat_template: template })).toBe('True  <|im_end|>');
  });

  test.each([[{}], [null], [''], [0], [[]]])('%j count as none', async (value) => {
    expect(await kwargs(value)).toBe(PROMPT);
  });

  test.each([['x'], [5], [true], [[['a', 1]]]])('%j are a 500', async (value) => {
    expect(await told(asked({ chat_template_kwargs: value }))).toBe(FAILED);
  });

  test.each([
    [{ enable_thinking: false }, OFF],
    [{ enable_thinking: 0 }, PROMPT],
    [{ tokenize: false, add_generation_prompt: false }, PROMPT],
    [{ unknown: 1, padding: true, documents: [{ text: 'd' }], return_dict: false }, PROMPT],
    [{ continue_final_message: false, return_tensors: null, tokenizer_kwargs: null }, PROMPT],
    [{ truncation: true, max_length: 5 }, '<|im_start|>user\nhi<|im_end|>'],
    [{ truncation: false, max_length: 5 }, PROMPT],
    [
      { chat_template: '{% for m in messages %}{{ m | tojson }}{% endfor %}' },
      '{"role": "user", "content": "hi", "media": []}',
    ],
  ])('%j', async (value, expected) => {
    expect(await kwargs(value)).toBe(expected);
  });

  test.each([
    { continue_final_message: true },
    { return_tensors: 'pt' },
    { conversation: [] },
    { messages: [] },
    { tokenizer_kwargs: { padding: true } },
    { documents: ['d'] },
    { chat_template: 5 },
    { chat_template: '{{ raise_exception("no") }}' },
    { chat_template: '{% if' },
    { chat_template: '{% if not add_generation_prompt %}{{ raise_exception("no") }}{% endif %}{{ "x" }}' },
    { tools: 'x' },
    { truncation: 'x' },
  ])('%j are a 500', async (value) => {
    expect(await told(asked({ chat_template_kwargs: value }))).toBe(FAILED);
  });

  test('tools among them are printed, unless the request has tools of its own', async () => {
    const inner = await kwargs({ tools: TOOLS });
    expect(inner).toContain(
      '{"type": "function", "function": {"name": "date", "description": "d", "parameters": {}}}',
    );
    const own = [{ z: 1, function: { name: '<b> & é' } }];
    const outer = await prompt({ tools: own, chat_template_kwargs: { tools: TOOLS } });
    expect(outer).toContain('<tools>\n{"z": 1, "function": {"name": "<b> & é"}}\n</tools>');
  });
});

describe('carried ids', () => {
  const ids = (text: string): number[] => tokenizer.encode(text);
  const BEFORE = ids('<|im_start|>user\nold<|im_end|>\n<|im_start|>assistant\n');
  const AFTER = '<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n';
  const answered = (keys: Record<string, unknown>, role = 'assistant') => ({
    messages: [{ role: 'user', content: 'x' }, { role, content: 'y', ...keys }, HI],
  });
  const spliced = (keys: Record<string, unknown>, role?: string) => prompt(answered(keys, role));
  const sound = { prompt_token_ids: BEFORE, generation_token_ids: ids('new') };
  const RENDERED = '<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\ny';

  test.each([
    ['replace the history', sound, `${tokenizer.decode(BEFORE)}new${AFTER}`],
    [
      'may end on the end of turn',
      { ...sound, generation_token_ids: ids('new<|im_end|>') },
      `${tokenizer.decode(BEFORE)}new${AFTER}`,
    ],
    ['may lack their generation', { prompt_token_ids: BEFORE }, tokenizer.decode(BEFORE) + AFTER],
    ['may lack their prompt, and are ignored', { generation_token_ids: ids('new') }, RENDERED + AFTER],
    ['may have an empty prompt', { ...sound, prompt_token_ids: [] }, `new${AFTER}`],
    ['may be none', { prompt_token_ids: [], generation_token_ids: null }, RENDERED + AFTER],
  ])('%s', async (_, keys, expected) => {
    expect(await spliced(keys)).toBe(expected);
  });

  test('of another role are ignored', async () => {
    expect(await spliced(sound, 'user')).toContain('user\ny<|im_end|>');
  });

  test.each([
    ['null', { prompt_token_ids: null }],
    ['a number', { prompt_token_ids: 5 }],
    ['a generation that is a number', { ...sound, generation_token_ids: 5 }],
  ])('that are %s are a 500', async (_, keys) => {
    expect(await told(asked(answered(keys)))).toBe(FAILED);
  });

  test('are repeated as they came, whatever they are', async () => {
    const odd = ['151644', 872.5, 999999, -1, true, null, ...ids(' a'.repeat(250))];
    const shown = await idsOf(asked(answered({ prompt_token_ids: odd })));
    expect(shown.slice(0, odd.length + 2)).toEqual([...odd, 151645, 198]);
    const nan = JSON.stringify(answered({ prompt_token_ids: odd })).replace('["151644"', '[NaN');
    expect(await told(server.post('/v1/chat/completions', nan))).toBe(FAILED);
  });

  test('cut out everything between them and an older answer without ids', async () => {
    const messages = [
      HI,
      { role: 'assistant', content: 'a', ...sound },
      { role: 'user', content: 'lost' },
      { role: 'assistant', content: 'lost too' },
      HI,
    ];
    expect(await prompt({ messages })).toBe(`${tokenizer.decode(BEFORE)}new${AFTER}`);
  });

  test('take the next user message with them where reasoning spells an end of turn', async () => {
    const reasoning = (times: number) => ({ reasoning_content: 'It is <|im_end|>.'.repeat(times) });
    const lost = await prompt({ ...answered({ ...sound, ...reasoning(1) }) });
    expect(lost).toBe(`${tokenizer.decode(BEFORE)}new<|im_end|>\n<|im_start|>assistant\n`);
    expect(await told(asked(answered({ ...sound, ...reasoning(2) })))).toBe(FAILED);
  });

  test('do not save a history the parser refuses', async () => {
    const calls = [{ function: { name: 'f', arguments: '[1]' } }];
    expect(await told(asked(answered({ ...sound, tool_calls: calls })))).toBe(
      '400 application/json {"error":"tool_calls[0].function.arguments must be a JSON object."}',
    );
  });
});

test('a message of a role the template does not know vanishes', async () => {
  expect(await prompt({ messages: [{ role: 'developer', content: 'gone' }, HI] })).toBe(PROMPT);
});
