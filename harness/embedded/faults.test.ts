import { afterAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { FAULTS } from './faults.ts';
import { type ScriptedServer, scriptedServer } from './fixtures.ts';

/*
 * One conversation that meets every fault's precondition is played to a sound server and to one with the fault. What differs
 * is listed as `turn.field`; a fault that changes nothing, or something it is not about, fails.
 */
const CALL =
  '<think>\nLook.\n</think>\n\nNow: <tool_call>\n{"name": "look", "arguments": {"b": "Zürich", "a": 1}}\n</tool_call>';
// A word in two tokens on purpose: encoding its text again gives one.
const ANSWER = [{ pieces: ['<think>', '\nGood.\n', '</think>', '\n\n', 'A', ' Sk', 'inny', ' dog'] }];
const CUT = [{ pieces: ['<think>', '</think>', 'ab 🦩'] }];
const OFF = 'Four.';
const SAYS = [CALL, ANSWER, CUT, OFF];

const tools = [
  {
    type: 'function',
    function: {
      name: 'look',
      description: 'd',
      parameters: { type: 'object', properties: { b: {}, a: {} } },
    },
  },
];

type Message = Record<string, unknown>;
interface Turn {
  status: number;
  message: Message;
  [field: string]: unknown;
}

/** Four turns with carried ids; every turn after the first builds on the sound server's earlier answers. */
async function play(server: ScriptedServer, golden?: readonly Turn[]): Promise<Turn[]> {
  const turns: Turn[] = [];
  const history: Message[] = [{ role: 'system', content: 'Be brief.' }];
  const next = async (messages: Message[], fields: Record<string, unknown> = {}): Promise<void> => {
    history.push(...messages);
    turns.push(await ask(server, { messages: history, tools, ...fields }));
    history.push((golden ?? turns)[turns.length - 1]?.message ?? {});
  };
  await next([server.user(CALL)]);
  await next([server.tool(ANSWER)], { top_logprobs: 2 });
  await next([server.user(CUT)], { max_tokens: 5 });
  await next([server.user(OFF, 'off')], { chat_template_kwargs: { enable_thinking: false } });
  return turns;
}

async function ask(server: ScriptedServer, body: Record<string, unknown>): Promise<Turn> {
  const response = await server.chat(body);
  const text = await response.text();
  if (response.status !== 200) return { status: response.status, message: {} };
  const { choices, usage } = JSON.parse(text);
  const [{ message, ...choice }] = choices;
  return { status: 200, message, ...choice, usage };
}

/** `turn.field` of every difference; ids of calls are random. */
function differences(sound: readonly Turn[], faulty: readonly Turn[]): string[] {
  const plain = (value: unknown): string =>
    (JSON.stringify(value) ?? 'absent').replace(/chatcmpl-tool-[0-9a-f]+/g, 'ID');
  return sound.flatMap((turn, index) => {
    const other = faulty[index];
    if (other?.status !== turn.status) return [`${index + 1}.status`];
    const fields = [...Object.keys(turn), ...Object.keys(other)].filter((key) => key !== 'message');
    const keys = new Set([...fields, ...Object.keys(turn.message), ...Object.keys(other.message)]);
    return [...keys]
      .filter((key) => plain(turn[key] ?? turn.message[key]) !== plain(other[key] ?? other.message[key]))
      .map((key) => `${index + 1}.${key}`);
  });
}

const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));
async function started(fault?: (typeof FAULTS)[number]): Promise<ScriptedServer> {
  const server = await scriptedServer(SAYS, fault ? { fault } : {});
  servers.push(server);
  return server;
}

describe('a sound server', () => {
  test('speaks as scripted, splices every turn and answers twice the same', async () => {
    const tokenizer = loadTokenizer();
    const server = await started();
    const turns = await play(server);
    const said = turns.map(({ message }) => [message.reasoning, message.content]);
    expect(said).toEqual([
      ['\nLook.\n', '\n\nNow: '],
      ['\nGood.\n', '\n\nA Skinny dog'],
      [null, 'ab'],
      [null, 'Four.'],
    ]);
    expect(turns[1]?.message.generation_token_ids).not.toEqual(
      tokenizer.encode('<think>\nGood.\n</think>\n\nA Skinny dog<|im_end|>'),
    );
    expect(differences(turns, await play(server, turns))).toEqual([]);
  });
});

describe('every fault', () => {
  test('has its own name and says what is wrong', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
    expect(FAULTS.filter(({ about, name }) => about === '' || !/^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([]);
  });

  test('changes what it is about and nothing else, twice the same', async () => {
    const golden = await play(await started());
    const found: Record<string, string> = {};
    for (const fault of FAULTS) {
      const server = await started(fault);
      const faulty = await play(server, golden);
      expect(differences(faulty, await play(server, golden)), fault.name).toEqual([]);
      found[fault.name] = differences(golden, faulty).join(' ');
    }
    expect(found).toMatchInlineSnapshot(`
      {
        "arguments-compact": "1.tool_calls",
        "content-stripped": "1.content 2.content",
        "enable-thinking-ignored": "4.logprobs 4.usage 4.content 4.reasoning 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
        "eos-text-in-content": "1.content 2.content 4.content",
        "eos-trimmed": "1.logprobs 1.usage 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.generation_token_ids 2.generation_log_probs 4.logprobs 4.usage 4.generation_token_ids 4.generation_log_probs",
        "error-on-turn-two": "2.status",
        "escaped-arguments": "1.tool_calls",
        "flipped-generation-id": "1.logprobs 1.reasoning 1.generation_token_ids 2.logprobs 2.reasoning 2.generation_token_ids 3.logprobs 3.content 3.generation_token_ids 4.logprobs 4.content 4.generation_token_ids",
        "half-character-replaced": "3.content",
        "ids-missing": "1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
        "logprob-not-greedy": "2.logprobs",
        "logprobs-short": "1.logprobs 1.generation_log_probs 2.logprobs 2.generation_log_probs 3.logprobs 3.generation_log_probs 4.logprobs 4.generation_log_probs",
        "positional-splice": "3.logprobs 3.usage 3.content 3.reasoning 3.prompt_token_ids 3.generation_token_ids 4.usage 4.prompt_token_ids",
        "prefix-ignored": "2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "reasoning-in-content": "1.content 1.reasoning 2.content 2.reasoning",
        "retokenized-history": "3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "sorted-schema-keys": "1.usage 1.prompt_token_ids",
        "text-before-call-lost": "1.content",
        "tool-calls-as-text": "1.finish_reason 1.content 1.tool_calls",
        "tool-calls-dropped": "1.finish_reason 1.content 1.tool_calls",
        "usage-off-by-one": "1.usage 2.usage 3.usage 4.usage",
        "user-message-lost": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "wrong-finish-reason": "1.finish_reason 3.finish_reason",
      }
    `);
  });
});
