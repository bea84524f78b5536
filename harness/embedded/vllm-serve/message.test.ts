import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choiceOf, HELLO, json, type ScriptedServer, scriptedServer } from '../fixtures.ts';

const SPECIAL = '<think>a<|box_start|></think>b<|im_start|>c';
const SPELLED = [{ pieces: ['<', 'think', '>', 'A', '</', 'think', '>', 'B'] }];
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO, SPECIAL, SPELLED, 'x<|im_start|>y'], { server: 'vllm-serve' });
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });

describe('the message', () => {
  test('is complete, keys in the real order', async () => {
    const text = await (await server.chat({ ...hello(), logprobs: false })).text();
    expect(
      text.replace(/chatcmpl-[0-9a-f]{16}/, 'ID').replace(/"created":\d+/, '"created":0'),
    ).toMatchInlineSnapshot(
      `"{"id":"ID","object":"chat.completion","created":0,"model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":"\\n\\nHello.","refusal":null,"annotations":null,"audio":null,"function_call":null,"reasoning":"\\nShort.\\n"},"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":null,"routed_experts":null}],"service_tier":null,"system_fingerprint":"vllm-0.32.0-8a9a90f4","usage":{"prompt_tokens":262,"total_tokens":271,"completion_tokens":9,"prompt_tokens_details":null,"completion_tokens_details":{"reasoning_tokens":3}},"prompt_logprobs":null,"prompt_token_ids":null,"prompt_text":null,"kv_transfer_params":null,"ec_transfer_params":null,"metrics":null}"`,
    );
  });

  test('has ids beside it, and only on request', async () => {
    const silent = await json(server.chat(hello()));
    expect([silent.prompt_token_ids, silent.choices[0].token_ids]).toEqual([null, null]);
    const body = await json(server.chat({ ...hello(), return_token_ids: true }));
    expect(body.choices[0].token_ids).toEqual([151667, 198, 12472, 624, 151668, 271, 9707, 13, 151645]);
    expect(body.prompt_token_ids).toHaveLength(body.usage.prompt_tokens);
    expect(Object.keys(body.choices[0].message)).not.toContain('prompt_token_ids');
  });

  test('names tokens by their text in log-probs, by id on request', async () => {
    const names = async (fields: Record<string, unknown>) => {
      const { logprobs } = await choiceOf(server.chat({ ...hello(), ...fields }));
      return logprobs.content.map(({ token }: { token: string }) => token).slice(0, 3);
    };
    expect(await names({})).toEqual(['<think>', '\n', 'Short']);
    expect(await names({ return_tokens_as_token_ids: true })).toEqual([
      'token_id:151667',
      'token_id:198',
      'token_id:12472',
    ]);
    expect(await names({ top_logprobs: null })).toEqual(['<think>', '\n', 'Short']);
  });

  test('drops special tokens while thinking is on, and keeps them while it is off', async () => {
    const on = await choiceOf(server.chat({ messages: [server.user(SPECIAL)], skip_special_tokens: false }));
    expect([on.message.reasoning, on.message.content]).toEqual(['a', 'bc']);
    const off = { chat_template_kwargs: { enable_thinking: false } };
    const kept = await choiceOf(server.chat({ messages: [server.user('x<|im_start|>y', 'off')], ...off }));
    expect(kept.message.content).toBe('x<|im_start|>y');
  });

  test('without reasoning keeps ids and log-probs to itself, but counts them', async () => {
    const body = await json(server.chat({ ...hello(), include_reasoning: false, return_token_ids: true }));
    const [choice] = body.choices;
    expect([choice.message.reasoning, choice.logprobs, choice.token_ids]).toEqual([null, null, null]);
    expect(body.prompt_token_ids).not.toBeNull();
    expect(body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 3 });
  });

  test('splits at spelled tags, and counts reasoning by ids alone', async () => {
    const body = await json(server.chat({ messages: [server.user(SPELLED)], return_token_ids: true }));
    const { message, token_ids } = body.choices[0];
    expect([message.reasoning, message.content]).toEqual(['A', 'B']);
    expect(body.usage.completion_tokens_details.reasoning_tokens).toBe(token_ids.length - 1);
  });

  test('has the rendered prompt beside it on request', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const { prompt_text: text } = await json(server.chat({ messages, return_prompt_text: true }));
    expect(text).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n');
  });
});
