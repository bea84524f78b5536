import { afterAll, expect, test } from 'vitest';
import { changes, type Step } from './fault-play.ts';
import type { Fault } from './faults.ts';
import { type ScriptedServer, scriptedServer } from './fixtures.ts';

const CALL =
  '<think>\nLook.\n</think>\n\nNow: <tool_call>\n{"name": "look", "arguments": {"b": "Zürich", "a": 1}}\n</tool_call>' +
  '\n<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>';
const ANSWER = '<think>\nGood.\n</think>\n\n A dog ';
const CUT = [{ pieces: ['<think>', '</think>', 'ab 🦩'] }];
// Thinking off is where 0.32 keeps special tokens.
const OFF = 'Four<|box_start|>.';

const parameters = { type: 'object', properties: { b: {}, a: {} } };
const tools = [{ type: 'function', function: { name: 'look', description: 'd', parameters } }];

/** Four turns whose history is rendered anew. */
const steps = (server: ScriptedServer): Step[] => [
  { messages: [server.user(CALL)], fields: { tools } },
  { messages: [server.tool(ANSWER)], fields: { tools, top_logprobs: 2 } },
  { messages: [server.user(CUT)], fields: { tools, max_tokens: 5 } },
  {
    messages: [server.user(OFF, 'off')],
    fields: { tools, chat_template_kwargs: { enable_thinking: false } },
  },
];
const withIds = (server: ScriptedServer): Step[] =>
  steps(server).map(({ messages, fields }) => ({ messages, fields: { ...fields, return_token_ids: true } }));

const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));
async function started(fault?: Fault): Promise<ScriptedServer> {
  const says = [CALL, ANSWER, CUT, OFF];
  const server = await scriptedServer(says, { server: 'vllm-serve', ...(fault ? { fault } : {}) });
  servers.push(server);
  return server;
}

test('every fault of plain vLLM changes what it is about and nothing else, twice the same', async () => {
  const found = await changes('vllm-serve', started, withIds);
  expect(Object.entries(found).filter(([, changed]) => changed === '')).toEqual([]);
  expect(found).toMatchInlineSnapshot(`
    {
      "arguments-compact": "1.tool_calls",
      "content-stripped": "1.content 2.content",
      "enable-thinking-ignored": "4.logprobs 4.token_ids 4.usage 4.prompt_token_ids 4.content 4.reasoning",
      "eos-text-in-content": "1.content 2.content 4.content",
      "eos-trimmed": "1.logprobs 1.token_ids 1.usage 2.logprobs 2.token_ids 2.usage 4.logprobs 4.token_ids 4.usage",
      "error-on-turn-two": "2.status",
      "escaped-arguments": "1.tool_calls",
      "finish-length-masked": "3.finish_reason",
      "flipped-generation-id": "1.logprobs 1.token_ids 1.reasoning 2.logprobs 2.token_ids 2.reasoning 3.logprobs 3.token_ids 3.content 4.logprobs 4.token_ids 4.content",
      "generation-prompt-lost": "1.logprobs 1.token_ids 1.usage 1.prompt_token_ids 1.reasoning 2.logprobs 2.token_ids 2.usage 2.prompt_token_ids 2.reasoning 3.logprobs 3.token_ids 3.usage 3.prompt_token_ids 3.content 3.reasoning 4.logprobs 4.token_ids 4.usage 4.prompt_token_ids 4.content",
      "half-character-replaced": "3.content",
      "ids-missing": "1.token_ids 1.prompt_token_ids 2.token_ids 2.prompt_token_ids 3.token_ids 3.prompt_token_ids 4.token_ids 4.prompt_token_ids",
      "later-calls-lost": "1.tool_calls",
      "logprob-not-greedy": "2.logprobs",
      "logprobs-short": "1.logprobs 2.logprobs 3.logprobs 4.logprobs",
      "reasoning-field-renamed": "1.reasoning 1.reasoning_content 2.reasoning 2.reasoning_content 3.reasoning 3.reasoning_content 4.reasoning 4.reasoning_content",
      "reasoning-in-content": "1.content 1.reasoning 2.content 2.reasoning",
      "schema-redumped": "1.usage 1.prompt_token_ids 2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "sorted-schema-keys": "1.usage 1.prompt_token_ids 2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "special-tokens-skipped": "4.content",
      "text-before-call-lost": "1.content",
      "thinking-default-off": "1.logprobs 1.token_ids 1.usage 1.prompt_token_ids 1.content 1.reasoning 2.logprobs 2.token_ids 2.usage 2.prompt_token_ids 2.content 2.reasoning 3.logprobs 3.finish_reason 3.token_ids 3.usage 3.prompt_token_ids 3.content",
      "tool-calls-as-text": "1.finish_reason 1.content 1.tool_calls",
      "tool-calls-dropped": "1.finish_reason 1.content 1.tool_calls",
      "usage-off-by-one": "1.usage 2.usage 3.usage 4.usage",
      "user-message-lost": "2.usage 2.prompt_token_ids 3.usage 3.prompt_token_ids 4.usage 4.prompt_token_ids",
      "wrong-finish-reason": "1.finish_reason 3.finish_reason",
    }
  `);
});
