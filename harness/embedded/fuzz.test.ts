import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedServer, scriptedServer } from './fixtures.ts';
import { FIELDS } from './vllm/fields.ts';

const KINDS = {
  'nemo-rl-vllm': [200, 422, 500],
  'vllm-serve': [200, 400],
} as const;
type Kind = keyof typeof KINDS;

const servers = new Map<Kind, ScriptedServer>();
beforeAll(async () => {
  for (const server of ['nemo-rl-vllm', 'vllm-serve'] as const) {
    servers.set(server, await scriptedServer(['Hello.'], { server }));
  }
});
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

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

test.each(['nemo-rl-vllm', 'vllm-serve'] as const)(
  'whatever is sent to %s, the answer is one it has',
  async (kind) => {
    const statuses = new Set<number>();
    const body = fc.record({
      messages: fc.array(message, { maxLength: 4 }),
      fields: fc.dictionary(field, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(body, async ({ messages, fields }) => {
        const response = await servers.get(kind)?.chat({ messages, max_tokens: 3, ...fields });
        if (!response) throw new Error(`${kind} was not started`);
        const text = await response.text();
        statuses.add(response.status);
        if (response.status === 500 && kind === 'nemo-rl-vllm') expect(text).toBe('Internal Server Error');
        else if (fields.stream !== true) JSON.parse(text);
        expect([200, 400, 404, 422, 500, 501]).toContain(response.status);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect([...statuses].sort()).toEqual(expect.arrayContaining([...KINDS[kind]]));
  },
);
