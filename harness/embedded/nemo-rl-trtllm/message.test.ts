import { afterAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../../oracle/tokenizer.ts';
import type { Say } from '../../teleprompter/script.ts';
import {
  CALLS,
  choiceOf,
  FAILED,
  HELLO,
  json,
  type ScriptedServer,
  scriptedServer,
  TOOLS,
  told,
} from '../fixtures.ts';
import type { EmbeddedOptions } from '../options.ts';

const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function started(say: Say, options: Partial<EmbeddedOptions> = {}): Promise<ScriptedServer> {
  const parsers = { tool: 'qwen3', reasoning: 'qwen3' };
  const server = await scriptedServer([say], { server: 'nemo-rl-trtllm', parsers, ...options });
  servers.push(server);
  return server;
}

/** The choice for one scripted reply. */
async function said(say: Say, fields: Record<string, unknown> = {}, options: Partial<EmbeddedOptions> = {}) {
  const server = await started(say, options);
  return choiceOf(server.chat({ messages: [server.user(say)], logprobs: undefined, ...fields }));
}

/** Status and body for one scripted reply. */
async function answered(say: Say, fields: Record<string, unknown> = {}): Promise<string> {
  const server = await started(say);
  return told(server.chat({ messages: [server.user(say)], ...fields }));
}

describe('the answer', () => {
  test('has its keys in the order of the real one', async () => {
    const server = await started(CALLS);
    const body = await json(server.chat({ messages: [server.user(CALLS)], tools: TOOLS }));
    const [choice] = body.choices;
    expect([
      Object.keys(body),
      Object.keys(choice),
      Object.keys(choice.message),
      Object.keys(body.usage),
    ]).toEqual([
      ['id', 'object', 'created', 'model', 'choices', 'usage'],
      ['index', 'message', 'finish_reason', 'logprobs'],
      [
        ...['role', 'content', 'reasoning_content', 'tool_calls'],
        ...['prompt_token_ids', 'generation_token_ids', 'generation_log_probs'],
      ],
      ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    ]);
    expect(body.id).toMatch(/^chatcmpl-[0-9a-f]{12}$/);
    expect(choice.message.tool_calls[0].id).toMatch(/^call_[0-9a-f]{8}$/);
    const { prompt_tokens, completion_tokens, total_tokens } = body.usage;
    const { prompt_token_ids, generation_token_ids, generation_log_probs } = choice.message;
    expect([prompt_tokens, completion_tokens]).toEqual([
      prompt_token_ids.length,
      generation_token_ids.length,
    ]);
    expect([total_tokens, generation_log_probs.length]).toEqual([
      prompt_tokens + completion_tokens,
      completion_tokens,
    ]);
  });

  test('carries ids always, and log-probs when they are asked for by anything true', async () => {
    for (const asked of [undefined, null, false, 0, '', []]) {
      const { logprobs, message } = await said('Four.', { logprobs: asked });
      expect([logprobs, message.generation_token_ids.length]).toEqual([undefined, 2]);
    }
    for (const asked of [true, 1, 'no', [0]]) {
      expect((await said('Four.', { logprobs: asked, top_logprobs: 5 })).logprobs.content[1]).toEqual({
        token: '.',
        logprob: -14 / 1024,
        bytes: null,
        top_logprobs: [],
      });
    }
  });

  test('without a token has no log-probs, no text and no reasoning', async () => {
    const choice = await said([], { logprobs: true });
    expect(choice).toMatchObject({
      finish_reason: 'stop',
      message: { content: '', reasoning_content: '', generation_token_ids: [] },
    });
    expect(Object.keys(choice)).toEqual(['index', 'message', 'finish_reason']);
  });
});

describe('stop ids', () => {
  test('are trimmed: the two of the model and those of the config', async () => {
    const ended: Say = [{ pieces: ['Four.', '<|endoftext|>', 'Five.'] }];
    for (const say of ['Four.', ended]) expect((await said(say)).message.content).toBe('Four.');
    const { message, finish_reason } = await said('Four. Five.', {}, { trtllm: { stopTokenIds: [13] } });
    expect([message.content, finish_reason, message.generation_token_ids]).toEqual([
      'Four',
      'stop',
      loadTokenizer().encode('Four'),
    ]);
  });

  test('count towards the limit, so that one that just fits is a stop', async () => {
    const four = loadTokenizer().encode('Four.').length;
    expect((await said('Four.', { max_tokens: four + 1 })).finish_reason).toBe('stop');
    expect((await said('Four.', { max_tokens: four })).finish_reason).toBe('length');
  });
});

describe('reasoning', () => {
  const split = async (say: Say, reasoning: string | null, kwargs?: Record<string, unknown>) => {
    const fields = kwargs ? { chat_template_kwargs: kwargs } : {};
    const { message } = await said(say, fields, { parsers: { tool: 'qwen3', reasoning } });
    return [message.reasoning_content, message.content];
  };
  const BARE = 'Aaa.\n</think>\n\nBbb.';

  test('without a parser all is content', async () => {
    expect(await split(HELLO, null)).toEqual(['', HELLO]);
  });

  test('deepseek-r1 begins inside it while enable_thinking is true to Python, whatever the template makes of it', async () => {
    expect(await split(HELLO, 'deepseek-r1')).toEqual(['<think>\nShort.\n', '\n\nHello.']);
    expect(await split(BARE, 'deepseek-r1', { enable_thinking: null })).toEqual(['', BARE]);
    expect(await split(BARE, 'deepseek-r1', { enable_thinking: 0 })).toEqual(['', BARE]);
    expect(await split(BARE, 'deepseek-r1', { enable_thinking: 'false' })).toEqual(['Aaa.\n', '\n\nBbb.']);
  });

  test('the same parser in another case never asks', async () => {
    expect(await split(BARE, 'DeepSeek-R1', { enable_thinking: null })).toEqual(['Aaa.\n', '\n\nBbb.']);
  });

  test('qwen3 needs the opening tag, qwen3_5 never does', async () => {
    expect(await split(HELLO, 'qwen3')).toEqual(['\nShort.\n', '\n\nHello.']);
    expect(await split(BARE, 'qwen3')).toEqual(['', BARE]);
    expect(await split(BARE, 'qwen3_5', { enable_thinking: null })).toEqual(['Aaa.\n', '\n\nBbb.']);
  });

  test('special tokens stay in the text, and half a character is U+FFFD', async () => {
    expect((await said([{ pieces: ['A', '<|box_start|>', 'B'] }])).message.content).toBe('A<|box_start|>B');
    expect((await said([{ pieces: ['ab 🦩'] }], { max_tokens: 3 })).message.content).toBe('ab \uFFFD');
  });
});

describe('calls', () => {
  const call = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;
  const DATE = call('{"name": "date"}');

  test('are looked for only with tools, in what follows the reasoning', async () => {
    expect((await said(`<think>${DATE}</think>A`, { tools: TOOLS })).message).not.toHaveProperty(
      'tool_calls',
    );
    for (const tools of [undefined, [], {}, '', null]) {
      expect((await said(DATE, { tools })).message.content).toBe(DATE);
    }
    expect((await said(DATE, { tools: TOOLS })).finish_reason).toBe('tool_calls');
  });

  test('win over a cut', async () => {
    const cut = loadTokenizer().encode(DATE).length;
    const choice = await said(`${DATE} and more`, { tools: TOOLS, max_tokens: cut });
    expect([choice.finish_reason, choice.message.content]).toEqual(['tool_calls', null]);
  });

  test.each(['"date"', '5', 'null', '{"name": 5}', '{"name": "date", "arguments": {"a": "\\ud83d"}}'])(
    'a block with %s is a 500',
    async (json) => {
      expect(await answered(call(json), { tools: TOOLS })).toBe(FAILED);
    },
  );

  test.each([
    ['an unknown key', { function: { name: 'date' }, cache: true }],
    ['an unknown key of the function', { function: { name: 'date', title: 'Date' } }],
    ['another type', { type: 'custom', function: { name: 'date' } }],
    ['a type that is null', { type: null, function: { name: 'date' } }],
    ['no name', { function: { description: 'd' } }],
    ['a flat form', { type: 'function', name: 'date', parameters: {} }],
    ['parameters that are a list', { function: { name: 'date', parameters: [] } }],
    ['a description that is a number', { function: { name: 'date', description: 5 } }],
  ])('a tool with %s is a 500, but only once a call was seen', async (_, tool) => {
    expect(await answered(DATE, { tools: [tool] })).toBe(FAILED);
    expect(await answered('<tool_call>', { tools: [tool] })).toContain('200 application/json');
  });

  test.each([
    { function: { name: 'date' } },
    { type: 'function', function: { name: 'date', description: null, parameters: null, strict: true } },
    { function: { name: 'date', strict: 'yes' } },
  ])('the tool %j is fine', async (tool) => {
    expect(await answered(DATE, { tools: [tool] })).toContain('"finish_reason":"tool_calls"');
  });

  test.each([[{ a: 1 }], ['tools'], [['date']], [5], [true]])(
    'tools that are %j are a 500',
    async (tools) => {
      expect(await answered('Four.', { tools })).toBe(FAILED);
    },
  );
});
