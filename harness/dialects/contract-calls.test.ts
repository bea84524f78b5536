import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELLO, type ScriptedServer, scriptedServer, TOOLS } from '../embedded/fixtures.ts';
import { brief, ofBoth, requestBody } from './fixtures.ts';

/** Odd calls, rows 86-125, where no scenario shows them: one reply, what each server makes of it. */
const GREEDY = { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } };
const TRTLLM = { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3', reasoning: 'qwen3' } } as const;

const call = (json: string, end = '\n</tool_call>'): string => `<tool_call>\n${json}${end}`;
const DATE = '{"name": "date", "arguments": {}}';
const ONE = call(DATE);
const NO_ARGUMENTS = call('{"name": "date"}');
const NO_NAME = `${call('{"arguments": {}}')}\n${ONE}`;
const SCALAR = ONE + call('"date"');
const CLOSED_AT_ONCE = `${call(DATE, '</tool_call>')}\n${ONE}`;
const NULL = call('{"name": "date", "arguments": null}');
const NUMBERS = call('{"name": "date", "arguments": {"a": NaN, "a": 1e3, "b": 9007199254740993}}');
const SURROGATE = call('{"name": "date", "arguments": {"a": "\\ud83d"}}');
const NUMBER_FOR_NAME = call('{"name": 5, "arguments": {}}');
/** Nothing is thought, so that what a test shows is all content or calls. */
const thoughtless = (text: string): string => `<think></think>${text}`;
const TEXTS = [
  ONE,
  NO_ARGUMENTS,
  NO_NAME,
  SCALAR,
  CLOSED_AT_ONCE,
  NULL,
  NUMBERS,
  SURROGATE,
  NUMBER_FOR_NAME,
  DATE,
];
const SAYS = [HELLO, ...TEXTS.map(thoughtless)];

let vllm: ScriptedServer;
let trtllm: ScriptedServer;
beforeAll(async () => {
  vllm = await scriptedServer(SAYS, { sampling: GREEDY });
  trtllm = await scriptedServer(SAYS, { ...TRTLLM, sampling: GREEDY });
});
afterAll(() => Promise.all([vllm.close(), trtllm.close()]));

const body = (say: string, tools: unknown = TOOLS): string => requestBody([vllm.user(say)], { tools });
const ask = async (text: string, tools?: unknown): Promise<string[]> =>
  (await ofBoth({ vllm, trtllm }, body(thoughtless(text), tools))).map(brief);

/** Reasoning that is none is null on one side and "" on the other. */
const asText = (text: string): [string, string] => [
  `stop null ${JSON.stringify(text)}`,
  `stop "" ${JSON.stringify(text)}`,
];
const asCalls = (...calls: string[]): [string, string] => [
  ['tool_calls null null', ...calls].join(' '),
  ['tool_calls "" null', ...calls].join(' '),
];
const CALLED = asCalls('date({})');
const FAILED = '500 Internal Server Error';

test.each([
  ['row 91: no arguments', NO_ARGUMENTS, asText(NO_ARGUMENTS)[0], CALLED[1]],
  ['row 91: arguments that are null', NULL, ...asCalls('date(null)')],
  ['row 94: numbers and repeated keys', NUMBERS, ...asCalls('date({"a": 1000.0, "b": 9007199254740993})')],
  ['row 120: a block without a name beside a good one', NO_NAME, asText(NO_NAME)[0], CALLED[1]],
  ['row 122: a scalar beside a good call', SCALAR, asText(SCALAR)[0], FAILED],
  [
    'row 123: no newline before the end of the first block',
    CLOSED_AT_ONCE,
    asCalls('date({})', 'date({})')[0],
    asText(CLOSED_AT_ONCE)[1],
  ],
  ['row 124: JSON without tags', DATE, ...asText(DATE)],
  ['half a surrogate pair in an argument', SURROGATE, asText(SURROGATE)[0], FAILED],
  ['a name that is a number', NUMBER_FOR_NAME, asText(NUMBER_FOR_NAME)[0], FAILED],
])('%s', async (_what, text, ...expected) => {
  expect(await ask(text)).toEqual(expected);
});

test('rows 99-101: a call has an id of its server’s form, a type and no index', async () => {
  const answers = [vllm, trtllm].map(async (server) => {
    const response = await server.post('/v1/chat/completions', body(thoughtless(ONE)));
    const [entry] = JSON.parse(await response.text()).choices[0].message.tool_calls;
    return [
      entry.id.replace(/[0-9a-f]+$/, (hex: string) => hex.length),
      Object.keys(entry).sort(),
      entry.type,
    ];
  });
  expect(await Promise.all(answers)).toEqual([
    ['chatcmpl-tool-16', ['function', 'id', 'type'], 'function'],
    ['call_8', ['function', 'id', 'type'], 'function'],
  ]);
});

test('row 125: a tool with a key of its own fails once it is called', async () => {
  const tools = [{ ...TOOLS[0], x: 1 }];
  const unused = await ofBoth({ vllm, trtllm }, body(HELLO, tools));
  expect(unused.map(({ http_status }) => http_status)).toEqual([200, 200]);
  expect(await ask(ONE, tools)).toEqual([CALLED[0], FAILED]);
});

test('row 86: no tool parser named', async () => {
  const without = { sampling: GREEDY, parsers: { tool: null, reasoning: 'qwen3' } };
  const other = await scriptedServer(SAYS, without);
  const another = await scriptedServer(SAYS, { ...TRTLLM, ...without });
  const readings = await ofBoth({ vllm: other, trtllm: another }, body(thoughtless(ONE)));
  expect(readings.map(brief)).toEqual([asText(ONE)[0], CALLED[1]]);
  await Promise.all([other.close(), another.close()]);
});
