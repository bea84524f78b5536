import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedServer, scriptedServer } from './fixtures.ts';
import { FIELDS } from './nemo-rl-vllm/fields.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer(['Hello.']);
});
afterAll(() => server.close());

const field = fc.constantFrom(...Object.keys(FIELDS), 'messages');
const sound = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  content: fc.string(),
});
const carrying = fc.record({
  role: fc.constant('assistant'),
  content: fc.string(),
  prompt_token_ids: fc.array(fc.nat(151_935)),
  generation_token_ids: fc.array(fc.nat(152_000)),
});
const wild = fc.record(
  {
    role: fc.oneof(fc.constantFrom('developer', 'function', 'x'), fc.jsonValue({ maxDepth: 0 })),
    content: fc.jsonValue({ maxDepth: 2 }),
    tool_calls: fc.jsonValue({ maxDepth: 3 }),
    prompt_token_ids: fc.jsonValue({ maxDepth: 1 }),
    generation_token_ids: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);
const message = fc.oneof({ weight: 6, arbitrary: sound }, { weight: 2, arbitrary: carrying }, wild);

test('whatever is sent, the answer is one the emulated server has', async () => {
  const statuses = new Set<number>();
  const body = fc.record({
    messages: fc.array(message, { maxLength: 4 }),
    fields: fc.dictionary(field, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(body, async ({ messages, fields }) => {
      const response = await server.chat({ messages, max_tokens: 3, ...fields });
      const text = await response.text();
      statuses.add(response.status);
      if (response.status === 500) expect(text).toBe('Internal Server Error');
      else if (fields.stream !== true) JSON.parse(text);
      expect([200, 400, 404, 422, 500, 501]).toContain(response.status);
    }),
    { numRuns: 500, seed: 1 },
  );
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 422, 500]));
});
