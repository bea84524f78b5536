import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELLO, type ScriptedServer, scriptedServer, TOOLS } from '../embedded/fixtures.ts';
import type { Say } from '../teleprompter/script.ts';
import { brief, ofBoth, requestBody } from './fixtures.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';

/** Ids, counts, log-probs and the envelope of an answer, rows 55-69 and 102-113, where no scenario shows them. */
const GREEDY = { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } };
const OTHER_STOP: Say = [{ pieces: ['Four.', '<|endoftext|>'] }];
const SAYS: Say[] = [HELLO, '', OTHER_STOP];

let vllm: ScriptedServer;
let trtllm: ScriptedServer;
beforeAll(async () => {
  const parsers = { tool: 'qwen3', reasoning: 'qwen3' };
  vllm = await scriptedServer(SAYS, { sampling: GREEDY });
  trtllm = await scriptedServer(SAYS, { server: 'nemo-rl-trtllm', parsers, sampling: GREEDY });
});
afterAll(() => Promise.all([vllm.close(), trtllm.close()]));

const read = (say: Say) => ofBoth({ vllm, trtllm }, requestBody([vllm.user(say)]));
/** Both bodies as they came, of a shape that the expectations check. */
const raw = (fields: Record<string, unknown>) =>
  Promise.all(
    [vllm, trtllm].map(async (server) => {
      const response = await server.post('/v1/chat/completions', requestBody([vllm.user(HELLO)], fields));
      return JSON.parse(await response.text());
    }),
  );

test('rows 61-63: the end of turn is kept or trimmed, in ids, log-probs and usage alike', async () => {
  const [kept, trimmed] = await read(HELLO);
  expect(kept.generation_token_ids).toEqual([...(trimmed.generation_token_ids ?? []), 151645]);
  const sizes = [kept, trimmed].map(({ generation_token_ids, logprobs, usage }) => [
    generation_token_ids?.length,
    logprobs?.length,
    usage?.completion_tokens,
  ]);
  expect(sizes).toEqual([
    [9, 9, 9],
    [8, 8, 8],
  ]);
});

test('row 64: an empty generation', async () => {
  const readings = await read('');
  expect(readings.map(({ generation_token_ids }) => generation_token_ids)).toEqual([[151645], []]);
  expect(readings.map(brief)).toEqual(['stop null null', 'stop "" ""']);
});

test('row 65: the other stop id', async () => {
  const readings = await read(OTHER_STOP);
  expect(readings.map(({ generation_token_ids }) => generation_token_ids?.at(-1))).toEqual([151643, 13]);
});

/** The prompts of a second turn, each server's own answer sent back as its dialect does. */
async function secondPrompts(say: Say): Promise<(number[] | undefined)[]> {
  const sides = [
    { server: vllm, dialect: nemoRlVllm },
    { server: trtllm, dialect: nemoRlTrtllm },
  ];
  const prompts = sides.map(async ({ server, dialect }) => {
    const first = await server.post(dialect.path, requestBody([vllm.user(say)]));
    const { message = new Map() } = dialect.read(first.status, await first.text());
    const said = [vllm.user(say), dialect.echo(message, 'spliced'), vllm.user(HELLO)];
    const second = await server.post(dialect.path, requestBody(said));
    return dialect.read(second.status, await second.text()).reading.prompt_token_ids;
  });
  return Promise.all(prompts);
}

test('row 55: the next prompt is the same, whoever keeps the end of turn', async () => {
  const [kept, trimmed] = await secondPrompts(HELLO);
  expect(kept?.length).toBeGreaterThan(500);
  expect(trimmed).toEqual(kept);
});

test('row 56: the next prompt has the other stop id or not', async () => {
  const [kept = [], trimmed] = await secondPrompts(OTHER_STOP);
  expect(kept.filter((id) => id === 151643)).toHaveLength(1);
  expect(trimmed).toEqual(kept.filter((id) => id !== 151643));
});

test('rows 67 and 68: an entry of the log-probs', async () => {
  const bodies = await raw({ top_logprobs: 1 });
  const entries = bodies.map(({ choices: [{ logprobs }] }) => logprobs.content[0]);
  const seen = entries.map(({ token, bytes, top_logprobs }) => [token, bytes?.length, top_logprobs.length]);
  expect(seen).toEqual([
    ['token_id:151667', 7, 1],
    ['<think>', undefined, 0],
  ]);
});

test('row 69: the key of log-probs that nobody asked for', async () => {
  const bodies = await raw({ logprobs: undefined, top_logprobs: undefined });
  expect(bodies.map(({ choices: [choice] }) => choice.logprobs)).toEqual([null, undefined]);
});

test('row 102: without calls there is no key', async () => {
  const bodies = await raw({ tools: TOOLS });
  expect(bodies.map(({ choices: [{ message }] }) => 'tool_calls' in message)).toEqual([false, false]);
});

test('row 109: an error is an object here and a text there', async () => {
  const long = requestBody([{ role: 'user', content: 'a'.concat(' a'.repeat(5000)) }]);
  const errors = (await ofBoth({ vllm, trtllm }, long)).map(({ error = '' }) => JSON.parse(error).error);
  expect(errors.map((error) => (typeof error === 'object' ? Object.keys(error) : typeof error))).toEqual([
    ['message', 'type', 'code'],
    'string',
  ]);
});

test('rows 112 and 113: only one has /health, only the other /tokenize', async () => {
  const statuses = [vllm, trtllm].map(async (server) => [
    (await fetch(`${server.url}/health`)).status,
    (await server.post('/tokenize', '{"prompt":"hi"}')).status,
  ]);
  expect(await Promise.all(statuses)).toEqual([
    [404, 200],
    [200, 404],
  ]);
});
