import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedServer, scriptedServer } from '../fixtures.ts';

let server: ScriptedServer;
beforeAll(async () => {
  const parsers = { tool: 'qwen3', reasoning: 'deepseek-r1' };
  server = await scriptedServer(['Hello.'], { server: 'nemo-rl-trtllm', parsers, maxModelLen: 600 });
});
afterAll(() => server.close());

const READ = [
  'tools',
  'logprobs',
  'temperature',
  'top_k',
  'chat_template_kwargs',
  'max_tokens',
  'max_completion_tokens',
];
const any = fc.jsonValue({ maxDepth: 3 });
const role = fc.constantFrom('system', 'user', 'assistant', 'tool', 'developer', null);
const sound = fc.record({ role, content: fc.string() });
const calls = fc.array(fc.record({ id: any, type: any, function: fc.record({ name: any, arguments: any }) }));
const carrying = fc.record({
  role: fc.constant('assistant'),
  content: fc.string(),
  prompt_token_ids: fc.array(fc.oneof(fc.nat(152_000), any)),
  generation_token_ids: fc.array(fc.nat(152_000)),
});
const wild = fc.record(
  { role: any, content: any, tool_calls: fc.oneof(any, calls), reasoning: any, prompt_token_ids: any },
  { requiredKeys: ['role'] },
);
const message = fc.oneof({ weight: 6, arbitrary: sound }, { weight: 2, arbitrary: carrying }, wild);
const kwargs = fc.dictionary(
  fc.constantFrom(
    'enable_thinking',
    'tools',
    'documents',
    'truncation',
    'max_length',
    'chat_template',
    'self',
    'x',
  ),
  any,
);

test('whatever is sent, the answer is one the emulated server has', async () => {
  const statuses = new Set<number>();
  const body = fc.record({
    messages: fc.array(message, { maxLength: 4 }),
    fields: fc.dictionary(fc.constantFrom(...READ), any, { maxKeys: 1 }),
    chat_template_kwargs: fc.option(kwargs, { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(body, async ({ messages, fields, chat_template_kwargs }) => {
      const response = await server.chat({ max_tokens: 3, chat_template_kwargs, ...fields, messages });
      const text = await response.text();
      statuses.add(response.status);
      if (response.status === 500) expect(text).toBe('Internal Server Error');
      else if (response.status === 400) expect(Object.keys(JSON.parse(text))).toEqual(['error']);
      else expect(JSON.parse(text).choices[0].message.role).toBe('assistant');
      expect([200, 400, 500]).toContain(response.status);
    }),
    { numRuns: 1000, seed: 1 },
  );
  expect([...statuses].sort()).toEqual([200, 400, 500]);
});
