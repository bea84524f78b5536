import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS, HELLO, type ScriptedServer, scriptedServer, TOOLS } from '../embedded/fixtures.ts';
import { brief, ofBoth, requestBody } from './fixtures.ts';

/**
 * The sampling gate and the fields of a request, rows 1-24: one change to the harness's own request, asked of both servers.
 * What a row shows is why the field is, or is not, in that request.
 */
const OBJECT = '{"city": "Oslo"}';
const SAYS = [HELLO, CALLS, OBJECT];
const GREEDY = { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } };
const TRTLLM = { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3', reasoning: 'qwen3' } } as const;

let vllm: ScriptedServer;
let trtllm: ScriptedServer;
beforeAll(async () => {
  vllm = await scriptedServer(SAYS, { sampling: GREEDY });
  trtllm = await scriptedServer(SAYS, { ...TRTLLM, sampling: GREEDY });
});
afterAll(() => Promise.all([vllm.close(), trtllm.close()]));

const ask = async (body: string): Promise<string[]> => (await ofBoth({ vllm, trtllm }, body)).map(brief);

const SAID = 'stop "\\nShort.\\n" "\\n\\nHello."';
const STOPPED = 'stop "\\nShort.\\n" "\\n\\n"';
const FAILED = '500 Internal Server Error';

test('the harness’s own request is answered alike', async () => {
  expect(await ask(requestBody([vllm.user(HELLO)]))).toEqual([SAID, SAID]);
});

type Case = [row: number, what: string, fields: Record<string, unknown>, vllm: string, trtllm: string];

const CASES: Case[] = [
  [1, 'temperature left out', { temperature: undefined }, FAILED, SAID],
  [2, 'top_p left out', { top_p: undefined }, FAILED, SAID],
  [3, 'top_k null', { top_k: null }, SAID, SAID],
  [4, 'top_k -1', { top_k: -1 }, SAID, FAILED],
  [6, 'the validation pair', { temperature: 0.2, top_p: 0.95 }, SAID, FAILED],
  [7, 'another temperature than the server’s', { temperature: 0.7 }, FAILED, FAILED],
  [10, 'a stop string', { stop: ['Hel'] }, STOPPED, SAID],
  [10, 'a stop id', { stop_token_ids: [9707] }, STOPPED, SAID],
  [10, 'two choices', { n: 2 }, FAILED, SAID],
  [11, 'a stream', { stream: true }, 'unreadable', SAID],
  [12, 'another model', { model: 'other' }, '404 The model `other` does not exist', SAID],
  [15, 'a key nobody knows', { mood: 'good' }, SAID, SAID],
  [16, 'an empty list of tools', { tools: [] }, '422 Value error, `tools` must not be an empty array', SAID],
  [
    20,
    'both limits',
    { max_tokens: 7, max_completion_tokens: 6 },
    'length "\\nShort.\\n" "\\n\\n"',
    'length "\\nShort.\\n" "\\n\\nHello"',
  ],
  [21, 'a limit of 0', { max_tokens: 0 }, '400 max_tokens must be at least 1, got 0', SAID],
  [22, 'no limit', { max_tokens: undefined }, SAID, SAID],
  [
    23,
    'log-probs not asked for',
    { logprobs: undefined, top_logprobs: undefined },
    `${SAID} without ids`,
    SAID,
  ],
  [
    24,
    'top_logprobs null',
    { top_logprobs: null },
    '400 `top_logprobs` must be set when requesting token information from the NeMo-RL chat endpoint',
    SAID,
  ],
  [85, 'reasoning not wanted', { include_reasoning: false }, 'stop null "\\n\\nHello."', SAID],
];

test.each(CASES)('row %i: %s', async (_row, _what, fields, ...expected) => {
  expect(await ask(requestBody([vllm.user(HELLO)], fields))).toEqual(expected);
});

const FIRST = 'tool_calls "\\nTwo.\\n" null date({"z": "Zürich"})';
const TEXT = `stop "\\nTwo.\\n" ${JSON.stringify(CALLS.slice(CALLS.indexOf('\n\n')))}`;

const TOOL_CASES: Case[] = [
  [17, 'tool_choice none', { tool_choice: 'none' }, TEXT, `${FIRST} date({})`],
  [19, 'parallel_tool_calls false', { parallel_tool_calls: false }, FIRST, `${FIRST} date({})`],
];

test.each(TOOL_CASES)('row %i: %s', async (_row, _what, fields, ...expected) => {
  expect(await ask(requestBody([vllm.user(CALLS)], { tools: TOOLS, ...fields }))).toEqual(expected);
});

test('row 18: a named tool', async () => {
  const fields = {
    tools: TOOLS,
    tool_choice: { type: 'function', function: { name: 'date' } },
    chat_template_kwargs: { enable_thinking: false },
  };
  expect(await ask(requestBody([vllm.user(OBJECT, 'off')], fields))).toEqual([
    `stop null "" date(${OBJECT})`,
    `stop "" ${JSON.stringify(OBJECT)}`,
  ]);
});

test('row 5: a top_k in the server’s config', async () => {
  const other = await scriptedServer(SAYS, { ...TRTLLM, sampling: GREEDY, trtllm: { topK: 20 } });
  const body = requestBody([vllm.user(HELLO)]);
  expect((await ofBoth({ vllm, trtllm: other }, body)).map(brief)).toEqual([SAID, SAID]);
  await other.close();
});

const BODIES: [what: string, body: string, vllm: string, trtllm: string][] = [
  ['a body that is empty', '', '422 Field required', FAILED],
  ['a body cut short', '{"messages": [', '422 JSON decode error', FAILED],
  ['a body that is a list', '[]', FAILED, FAILED],
  ['messages that are a text', '{"messages": "x"}', '422 Input should be a valid list', FAILED],
  ['no messages', '{"messages": [], "temperature": 0, "top_p": 1}', FAILED, FAILED],
];

test.each(BODIES)('row 14: %s', async (_what, body, ...expected) => {
  expect(await ask(body)).toEqual(expected);
});
