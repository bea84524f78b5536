import { afterAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { changes, differences, play, type Step } from './fault-play.ts';
import { FAULTS } from './faults.ts';
import { type ScriptedServer, scriptedServer } from './fixtures.ts';

const CALL =
  '<think>\nLook.\n</think>\n\nNow: <tool_call>\n{"name": "look", "arguments": {"b": "Zürich", "a": 1}}\n</tool_call>' +
  '\n<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>';
// A word in two tokens on purpose: encoding its text again gives one. And a special token in the middle.
const ANSWER = [
  { pieces: ['<think>', '\nGood.\n', '</think>', '\n\n', 'A', ' Sk', 'inny', '<|box_start|>', ' dog'] },
];
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

/** Four turns with carried ids. */
const steps = (server: ScriptedServer): Step[] => [
  { messages: [server.user(CALL)], fields: { tools } },
  { messages: [server.tool(ANSWER)], fields: { tools, top_logprobs: 2 } },
  { messages: [server.user(CUT)], fields: { tools, max_tokens: 5 } },
  {
    messages: [server.user(OFF, 'off')],
    fields: { tools, chat_template_kwargs: { enable_thinking: false } },
  },
];

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
    const turns = await play(server, steps(server));
    const said = turns.map(({ message }) => [message.reasoning, message.content]);
    expect(said).toEqual([
      ['\nLook.\n', '\n\nNow: '],
      ['\nGood.\n', '\n\nA Skinny<|box_start|> dog'],
      [null, 'ab'],
      [null, 'Four.'],
    ]);
    expect(turns[1]?.message.generation_token_ids).not.toEqual(
      tokenizer.encode('<think>\nGood.\n</think>\n\nA Skinny<|box_start|> dog<|im_end|>'),
    );
    expect(differences(turns, await play(server, steps(server), turns))).toEqual([]);
  });
});

describe('every fault', () => {
  test('has its own name and says what is wrong', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
    expect(FAULTS.filter(({ about, name }) => about === '' || !/^[a-z]+(-[a-z0-9]+)+$/.test(name))).toEqual(
      [],
    );
  });

  test('changes what it is about and nothing else, twice the same', async () => {
    const found = await changes('nemo-rl-vllm', started, steps);
    expect(found).toMatchInlineSnapshot(`
      {
        "arguments-compact": "1.tool_calls",
        "content-stripped": "1.content 2.content",
        "enable-thinking-ignored": "4.logprobs 4.usage 4.content 4.reasoning 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
        "eos-text-in-content": "1.content 2.content 4.content",
        "eos-trimmed": "1.logprobs 1.usage 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.generation_token_ids 2.generation_log_probs 4.logprobs 4.usage 4.generation_token_ids 4.generation_log_probs",
        "error-on-turn-two": "2.status",
        "escaped-arguments": "1.tool_calls",
        "finish-length-masked": "3.finish_reason",
        "flipped-generation-id": "1.logprobs 1.reasoning 1.generation_token_ids 2.logprobs 2.reasoning 2.generation_token_ids 3.logprobs 3.content 3.generation_token_ids 4.logprobs 4.content 4.generation_token_ids",
        "generation-prompt-lost": "1.logprobs 1.usage 1.reasoning 1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.reasoning 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.logprobs 3.usage 3.content 3.reasoning 3.prompt_token_ids 3.generation_token_ids 4.logprobs 4.usage 4.content 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
        "half-character-replaced": "3.content",
        "ids-missing": "1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
        "ids-of-other-turn": "3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "later-calls-lost": "1.tool_calls",
        "logprob-not-greedy": "2.logprobs",
        "logprobs-short": "1.logprobs 1.generation_log_probs 2.logprobs 2.generation_log_probs 3.logprobs 3.generation_log_probs 4.logprobs 4.generation_log_probs",
        "positional-splice": "3.logprobs 3.usage 3.content 3.reasoning 3.prompt_token_ids 3.generation_token_ids 4.usage 4.prompt_token_ids",
        "prefix-ignored": "2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "reasoning-field-renamed": "1.reasoning 1.reasoning_content 2.reasoning 2.reasoning_content 3.reasoning 3.reasoning_content 4.reasoning 4.reasoning_content",
        "reasoning-in-content": "1.content 1.reasoning 2.content 2.reasoning",
        "retokenized-history": "3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "schema-redumped": "1.usage 1.prompt_token_ids",
        "sorted-schema-keys": "1.usage 1.prompt_token_ids",
        "special-tokens-skipped": "2.content",
        "text-before-call-lost": "1.content",
        "thinking-default-off": "1.logprobs 1.usage 1.content 1.reasoning 1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.content 2.reasoning 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.logprobs 3.finish_reason 3.usage 3.content 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs",
        "tool-calls-as-text": "1.finish_reason 1.content 1.tool_calls",
        "tool-calls-dropped": "1.finish_reason 1.content 1.tool_calls",
        "turn-separator-lost": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "usage-off-by-one": "1.usage 2.usage 3.usage 4.usage",
        "user-message-lost": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
        "user-message-vanishes": "2.logprobs 2.usage 2.content 2.reasoning 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.logprobs 3.usage 3.content 3.reasoning 3.prompt_token_ids 3.generation_token_ids 4.logprobs 4.usage 4.content 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
        "wrong-finish-reason": "1.finish_reason 3.finish_reason",
      }
    `);
  });
});
