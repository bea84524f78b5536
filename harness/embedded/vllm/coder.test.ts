import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choiceOf, FAILED, type ScriptedServer, scriptedServer, told } from '../fixtures.ts';

const CALL =
  '<tool_call>\n<function=date>\n<parameter=day>\n7\n</parameter>\n<parameter=zone>\n7\n</parameter>\n</function>\n</tool_call>';
const SAID = `<think>\nOne.\n</think>\n\nA <|im_start|>b\n${CALL} lost`;
const INSIDE = `<think>\nx ${CALL}\n</think>\n\nDone.`;
const BAD = '<think></think><tool_call><function= >{"name": 3}</function></tool_call>';
const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'date',
      parameters: { type: 'object', properties: { day: { type: 'integer' }, zone: { type: 'string' } } },
    },
  },
];
const PARSERS = { tool: 'qwen3_coder', reasoning: 'qwen3' };
const NOT_EMULATED = '501 application/json {"detail":"parity-embedded does not emulate';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([SAID, INSIDE, BAD], { parsers: PARSERS });
});
afterAll(() => server.close());

async function shown(say: string, body: Record<string, unknown>) {
  const { message, finish_reason: finish } = await choiceOf(
    server.chat({ messages: [server.user(say)], ...body }),
  );
  const calls = message.tool_calls?.map((call: { function: unknown }) => call.function) ?? [];
  return { finish, reasoning: message.reasoning, content: message.content, calls };
}

const date = { name: 'date', arguments: '{"day": 7, "zone": "7"}' };

describe('the qwen3_coder parser on NeMo-RL', () => {
  test('types values by the schema, drops special tokens and what follows the calls', async () => {
    expect(await shown(SAID, { tools: TOOLS })).toEqual({
      finish: 'tool_calls',
      reasoning: '\nOne.\n',
      content: 'A b',
      calls: [date],
    });
  });

  test('reads a call inside thinking, which ends there, and loses the answer', async () => {
    expect(await shown(INSIDE, { tools: TOOLS })).toEqual({
      finish: 'tool_calls',
      reasoning: '\nx ',
      content: null,
      calls: [date],
    });
  });

  test('takes calls out of content where none are wanted, and where no tools are offered', async () => {
    const none = await shown(SAID, { tools: TOOLS, tool_choice: 'none' });
    expect(none).toMatchObject({ finish: 'stop', content: '\n\nA b\n lost', calls: [] });
    expect(await shown(SAID, {})).toMatchObject({ finish: 'stop', content: 'A b', calls: [] });
  });

  test('shows neither calls nor their text when the choice is null', async () => {
    const said = await shown(SAID, { tools: TOOLS, tool_choice: null });
    expect(said).toMatchObject({ finish: 'stop', content: 'A b', calls: [] });
  });

  test('fails on a name that is no text', async () => {
    expect(await told(server.chat({ messages: [server.user(BAD)], tools: TOOLS }))).toBe(FAILED);
  });

  const strict = TOOLS.map((tool) => ({ ...tool, function: { ...tool.function, strict: true } }));
  test.each([
    ['a required call', { tools: TOOLS, tool_choice: 'required' }],
    ['a named call', { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'date' } } }],
    ['a strict tool', { tools: strict }],
    ['a stream', { tools: TOOLS, stream: true }],
  ])('says that %s is not emulated', async (_, body) => {
    const text = await told(server.chat({ messages: [server.user(SAID)], ...body }));
    expect(text.slice(0, NOT_EMULATED.length)).toBe(NOT_EMULATED);
  });

  test('is refused on plain vLLM 0.32, whose parser of that name is another', async () => {
    await expect(scriptedServer([], { server: 'vllm-serve', parsers: PARSERS })).rejects.toThrow(
      "does not emulate the tool parser 'qwen3_coder'\n  it knows: hermes",
    );
  });
});
