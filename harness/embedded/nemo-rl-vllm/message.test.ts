import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choiceOf, HELLO, json, type ScriptedServer, scriptedServer } from '../fixtures.ts';

const EMOJI = [{ pieces: ['<think>', '</think>', 'ab 🦩'] }];
const SPECIAL = '<think></think>a<|im_start|>b';
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO, EMOJI, SPECIAL]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });

describe('the message', () => {
  test('is complete, keys in the real order', async () => {
    const text = await (await server.chat({ ...hello(), logprobs: false })).text();
    expect(
      text.replace(/chatcmpl-[0-9a-f]{16}/, 'ID').replace(/"created":\d+/, '"created":0'),
    ).toMatchInlineSnapshot(
      `"{"id":"ID","object":"chat.completion","created":0,"model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":"\\n\\nHello.","refusal":null,"annotations":null,"audio":null,"function_call":null,"reasoning":"\\nShort.\\n"},"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":null,"routed_experts":null}],"service_tier":null,"system_fingerprint":"vllm-0.25.1-74bb39c8","usage":{"prompt_tokens":262,"total_tokens":271,"completion_tokens":9,"prompt_tokens_details":null},"prompt_logprobs":null,"prompt_token_ids":null,"prompt_text":null,"kv_transfer_params":null,"metrics":null}"`,
    );
  });

  test('of n choices carries ids in every choice', async () => {
    const body = await json(server.chat({ ...hello(), n: 2 }));
    const [a, b] = body.choices;
    expect([a.index, b.index]).toEqual([0, 1]);
    expect(b.message.generation_token_ids).toEqual(a.message.generation_token_ids);
    expect(body.usage.completion_tokens).toBe(2 * a.message.generation_token_ids.length);
  });

  test('keeps special tokens whatever the request says, for the reasoning parser wants them', async () => {
    const body = { messages: [server.user(SPECIAL)], skip_special_tokens: true };
    expect((await choiceOf(server.chat(body))).message.content).toBe('a<|im_start|>b');
  });

  test('gives the bytes of a character to the token that completes it', async () => {
    const { logprobs } = await choiceOf(server.chat({ messages: [server.user(EMOJI)] }));
    const bytes = logprobs.content.map((entry: { bytes: number[] }) => Buffer.from(entry.bytes).toString());
    expect(bytes).toEqual(['<think>', '</think>', 'ab', '', '', ' 🦩', '<|im_end|>']);
  });

  test('lists alternatives that are never likelier than the token itself', async () => {
    const { logprobs } = await choiceOf(server.chat({ ...hello(), top_logprobs: 3, max_tokens: 1 }));
    const [entry] = logprobs.content;
    const values = entry.top_logprobs.map(({ logprob }: { logprob: number }) => logprob);
    expect(entry.top_logprobs[0]).toMatchObject({ token: entry.token, logprob: entry.logprob });
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(new Set(entry.top_logprobs.map(({ token }: { token: string }) => token)).size).toBe(3);
  });

  test('without a reasoning parser shows the whole text, special tokens left out', async () => {
    const bare = await scriptedServer([SPECIAL, HELLO], { parsers: { tool: null, reasoning: null } });
    const said = await choiceOf(bare.chat({ messages: [bare.user(SPECIAL)] }));
    expect([said.message.content, said.message.reasoning]).toEqual(['<think></think>ab', null]);
    const kept = await choiceOf(bare.chat({ messages: [bare.user(SPECIAL)], skip_special_tokens: false }));
    expect(kept.message.content).toBe('<think></think>a<|im_start|>b');
    await bare.close();
  });
});
