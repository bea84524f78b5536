import { afterAll, describe, expect, test } from 'vitest';
import { changes, differences, play, type Step } from './fault-play.ts';
import type { Fault } from './faults.ts';
import { type ScriptedServer, scriptedServer } from './fixtures.ts';

const call = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;
const LOOK = '{"name": "look", "arguments": {"b": "Zürich", "a": 1}}';
const CALLS = `<think>\nLook.\n</think>\n\nNow: ${call(LOOK)}${call('{bad}')}${call('{"name": "look"}')}`;
// A word in two tokens on purpose: encoding its text again gives one. And a special token in the middle.
const ANSWER = [
  { pieces: ['<think>', '\nGood.\n', '</think>', '\n\n', 'A', ' Sk', 'inny', '<|box_start|>', ' dog'] },
];
const CUT = [{ pieces: ['<think>', '</think>', 'ab 🦩'] }];
/** Ends with the end of text; what follows is only said by a server that runs past it. */
const OFF = [{ pieces: ['Four.', '<|endoftext|>', 'Five.'] }];
const SAYS = [CALLS, ANSWER, CUT, OFF];

const tools = [
  {
    function: { parameters: { type: 'object', properties: { b: {}, a: {} } }, name: 'look' },
    type: 'function',
  },
];

/** Four turns with carried ids, and one that is refused for the arguments of a call in its history. */
const steps = (server: ScriptedServer): Step[] => [
  { messages: [server.user(CALLS)], fields: { tools } },
  { messages: [server.tool(ANSWER)], fields: { tools } },
  { messages: [server.user(CUT)], fields: { tools, max_tokens: 5 } },
  {
    messages: [server.user(OFF, 'off')],
    fields: { tools, chat_template_kwargs: { enable_thinking: false } },
  },
  { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'look', arguments: 'null' } }] }] },
];

const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));
async function started(fault?: Fault): Promise<ScriptedServer> {
  const parsers = { tool: 'qwen3', reasoning: 'qwen3' };
  const server = await scriptedServer(SAYS, {
    server: 'nemo-rl-trtllm',
    parsers,
    ...(fault ? { fault } : {}),
  });
  servers.push(server);
  return server;
}

describe('a sound server', () => {
  test('speaks as scripted, splices every turn and answers twice the same', async () => {
    const server = await started();
    const turns = await play(server, steps(server));
    const said = turns.map(({ status, message, finish_reason }) => [
      ...[status, finish_reason, message.reasoning_content, message.content],
    ]);
    expect(said).toEqual([
      [200, 'tool_calls', '\nLook.\n', 'Now:'],
      [200, 'stop', '\nGood.\n', '\n\nA Skinny<|box_start|> dog'],
      [200, 'length', '', 'ab \uFFFD'],
      [200, 'stop', '', 'Four.'],
      [400, undefined, undefined, undefined],
    ]);
    expect(differences(turns, await play(server, steps(server), turns))).toEqual([]);
  });
});

test('every fault that can act changes what it is about and nothing else', async () => {
  expect(await changes('nemo-rl-trtllm', started, steps)).toMatchInlineSnapshot(`
    {
      "arguments-compact": "1.tool_calls",
      "bad-block-hides-good": "1.finish_reason 1.content 1.tool_calls",
      "call-stripped-content-kept": "1.content",
      "content-stripped": "2.content",
      "enable-thinking-ignored": "4.logprobs 4.usage 4.content 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
      "eos-kept": "1.logprobs 1.usage 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.generation_token_ids 2.generation_log_probs 4.logprobs 4.usage 4.generation_token_ids 4.generation_log_probs",
      "eos-text-in-content": "1.content 2.content",
      "error-on-turn-two": "2.status",
      "escaped-arguments": "1.tool_calls",
      "finish-length-masked": "3.finish_reason",
      "flipped-generation-id": "1.logprobs 1.reasoning_content 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.reasoning_content 2.generation_token_ids 2.generation_log_probs 3.logprobs 3.content 3.generation_token_ids 3.generation_log_probs 4.logprobs 4.content 4.generation_token_ids 4.generation_log_probs",
      "generation-prompt-lost": "1.logprobs 1.usage 1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.logprobs 3.usage 3.content 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs 4.logprobs 4.usage 4.content 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
      "half-character-dropped": "3.content",
      "ids-missing": "1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
      "ids-of-other-turn": "3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "later-calls-lost": "1.tool_calls",
      "logprobs-short": "1.logprobs 1.generation_log_probs 2.logprobs 2.generation_log_probs 3.logprobs 3.generation_log_probs 4.logprobs 4.generation_log_probs",
      "positional-splice": "3.logprobs 3.usage 3.content 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs 4.usage 4.prompt_token_ids",
      "prefix-ignored": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "reasoning-field-renamed": "1.reasoning_content 1.reasoning 2.reasoning_content 2.reasoning 3.reasoning_content 3.reasoning 4.reasoning_content 4.reasoning",
      "reasoning-in-content": "1.content 1.reasoning_content 2.content 2.reasoning_content",
      "reasoning-start-assumed": "1.reasoning_content 2.reasoning_content 3.reasoning_content 4.content 4.reasoning_content",
      "retokenized-history": "3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "schema-redumped": "1.usage 1.prompt_token_ids",
      "sorted-schema-keys": "1.usage 1.prompt_token_ids",
      "special-tokens-skipped": "2.content",
      "stop-id-list-incomplete": "4.logprobs 4.usage 4.content 4.generation_token_ids 4.generation_log_probs",
      "text-before-call-lost": "1.content",
      "thinking-default-off": "1.logprobs 1.usage 1.content 1.reasoning_content 1.prompt_token_ids 1.generation_token_ids 1.generation_log_probs 2.logprobs 2.usage 2.content 2.reasoning_content 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.finish_reason 3.logprobs 3.usage 3.content 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs",
      "tool-calls-as-text": "1.finish_reason 1.content 1.tool_calls",
      "tool-calls-dropped": "1.finish_reason 1.content 1.tool_calls",
      "turn-separator-lost": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "unpack-broken": "1.status 2.status 3.status 4.status",
      "usage-off-by-one": "1.usage 2.usage 3.usage 4.usage",
      "user-message-lost": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "user-message-vanishes": "2.logprobs 2.usage 2.content 2.reasoning_content 2.prompt_token_ids 2.generation_token_ids 2.generation_log_probs 3.logprobs 3.usage 3.content 3.prompt_token_ids 3.generation_token_ids 3.generation_log_probs 4.logprobs 4.usage 4.content 4.prompt_token_ids 4.generation_token_ids 4.generation_log_probs",
      "wrong-finish-reason": "1.finish_reason 3.finish_reason",
    }
  `);
});
