import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELLO, type ScriptedServer, scriptedServer } from '../embedded/fixtures.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { brief, ofBoth, promptText, requestBody } from './fixtures.ts';

/** How each server puts carried ids into a prompt, rows 25 and 50-60. */
const GREEDY = { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } };
const TRTLLM = { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3', reasoning: 'qwen3' } } as const;
const WINDOW = 300;
const tokenizer = loadTokenizer();

let vllm: ScriptedServer;
let trtllm: ScriptedServer;
beforeAll(async () => {
  vllm = await scriptedServer([HELLO], { sampling: GREEDY, maxModelLen: WINDOW });
  trtllm = await scriptedServer([HELLO], { ...TRTLLM, sampling: GREEDY, maxModelLen: WINDOW });
});
afterAll(() => Promise.all([vllm.close(), trtllm.close()]));

const ask = async (said: readonly unknown[], fields: Record<string, unknown> = {}): Promise<string[]> =>
  (await ofBoth({ vllm, trtllm }, requestBody(said, { max_tokens: 1, ...fields }))).map(promptText);

const turn = (role: string, text: string): string => `<|im_start|>${role}\n${text}<|im_end|>\n`;
const OPEN = '<|im_start|>assistant\n';
const HI = { role: 'user', content: 'hi' };
const PROMPT = turn('user', 'hi') + OPEN;
const FAILED = '500 Internal Server Error';

// Ids of another history than the messages tell: only so a prompt shows which of the two it was made of.
const BEFORE = tokenizer.encode(turn('user', 'old') + OPEN);
const IDS = { prompt_token_ids: BEFORE, generation_token_ids: tokenizer.encode('new') };
const ended = (end: string) => ({ ...IDS, generation_token_ids: tokenizer.encode(`new${end}`) });
const answer = (keys: object) => ({ role: 'assistant', content: 'mid', ...keys });
const after = (keys: object) => [HI, answer(keys), HI];
const SPLICED = turn('user', 'old') + turn('assistant', 'new') + PROMPT;
const RENDERED = turn('user', 'hi') + turn('assistant', 'mid') + PROMPT;
const spelled = (times: number) => ({
  reasoning: '<|im_end|>'.repeat(times),
  reasoning_content: '<|im_end|>'.repeat(times),
});

type Case = [row: number, what: string, said: unknown[], vllm: string, trtllm?: string];

const CASES: Case[] = [
  [50, 'ids on an answer', after(IDS), SPLICED],
  [
    50,
    'ids on a user message',
    [HI, { ...HI, ...IDS }, HI],
    turn('user', 'old') + turn('assistant', 'new') + OPEN,
    turn('user', 'hi').repeat(2) + PROMPT,
  ],
  [
    51,
    'no generated ids',
    after({ prompt_token_ids: BEFORE }),
    FAILED,
    turn('user', 'old') + turn('assistant', '') + PROMPT,
  ],
  [51, 'generated ids alone', after({ generation_token_ids: [1] }), RENDERED],
  [52, 'prompt ids that are null', after({ ...IDS, prompt_token_ids: null }), FAILED],
  [54, 'a later answer without ids', [HI, answer(IDS), HI, answer({}), HI], SPLICED],
  [55, 'ids that end on the end of turn', after(ended('<|im_end|>')), SPLICED],
  [57, 'ids that do not', after(IDS), SPLICED],
  [
    56,
    'ids that end on the other stop id',
    after(ended('<|endoftext|>')),
    SPLICED.replace('new', 'new<|endoftext|>'),
  ],
  [
    58,
    'an end of turn that a user typed',
    [HI, answer(IDS), { role: 'user', content: 'a<|im_end|>b' }],
    SPLICED.replace('hi', 'a<|im_end|>b'),
  ],
  [
    58,
    'an end of turn that reasoning spells',
    after({ ...IDS, ...spelled(1) }),
    turn('user', 'old') + turn('assistant', 'new') + OPEN,
  ],
  [58, 'two of them', after({ ...IDS, ...spelled(2) }), FAILED],
];

test.each(CASES)('row %i: %s', async (_row, _what, said, first, second = first) => {
  expect(await ask(said)).toEqual([first, second]);
});

test('row 25: a prefix beside the messages', async () => {
  const prefix = turn('user', 'old') + turn('assistant', '') + OPEN;
  expect(await ask([HI], { required_prefix_token_ids: BEFORE })).toEqual([prefix, PROMPT]);
});

test('ids win over an edited answer and another system message, unseen', async () => {
  const system = { role: 'system', content: 's' };
  expect(await ask([system, HI, { ...answer(IDS), content: 'edited' }, HI])).toEqual([SPLICED, SPLICED]);
});

test('ids that are texts are refused by one and believed by the other', async () => {
  const texts = { ...IDS, prompt_token_ids: BEFORE.map(String) };
  // TRT-LLM's server answers with the texts among its prompt ids, and those are not read.
  expect(await ask(after(texts))).toEqual([FAILED, 'length "" "new"']);
});

test('row 53: a template that only renders with a generation prompt', async () => {
  const chatTemplate = '{% if not add_generation_prompt %}{{ raise_exception("no") }}{% endif %}x';
  const other = await scriptedServer([], { sampling: GREEDY, chatTemplate });
  const another = await scriptedServer([], { ...TRTLLM, sampling: GREEDY, chatTemplate });
  const readings = await ofBoth({ vllm: other, trtllm: another }, requestBody([HI], { max_tokens: 1 }));
  expect(readings.map(promptText)).toEqual(['x', FAILED]);
  await Promise.all([other.close(), another.close()]);
});

/** A prompt of so many ids. */
const long = (ids: number) => [{ role: 'user', content: 'a'.concat(' a'.repeat(ids - 9)) }];
const OVER = `400 This model's maximum context length is ${WINDOW} tokens`;

test.each([
  [59, 'one id below the window', long(WINDOW - 1), 'length " a" null', 'length "" " a"'],
  [111, 'exactly the window', long(WINDOW), OVER, '400 context length exceeded: prompt'],
  [110, 'more than the window', long(WINDOW + 9), OVER, '400 context length exceeded: prompt'],
  [
    60,
    'carried ids over the window',
    after({ ...IDS, prompt_token_ids: Array(WINDOW).fill(264) }),
    FAILED,
    '400 context length exceeded: prompt',
  ],
])('row %i: %s', async (_row, _what, said, ...expected) => {
  const readings = await ofBoth({ vllm, trtllm }, requestBody(said, { max_tokens: 1 }));
  expect(readings.map(brief)).toEqual(expected);
});
