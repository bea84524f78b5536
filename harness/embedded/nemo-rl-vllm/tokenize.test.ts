import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../../oracle/tokenizer.ts';
import { choiceOf, FAILED, HELLO, json, type ScriptedServer, scriptedServer, told } from '../fixtures.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });

describe('/tokenize', () => {
  const tokenize = async (body: unknown) => json(server.post('/tokenize', JSON.stringify(body)));

  test('counts a prompt, with the vocabulary spelling on demand', async () => {
    expect(await tokenize({ prompt: 'ab 🦩<think>', return_token_strs: true })).toEqual({
      count: 5,
      max_model_len: 4096,
      tokens: [370, 11162, 99, 102, 151667],
      token_strs: ['ab', 'ĠðŁ', '¦', '©', '<think>'],
    });
  });

  test('splices as the chat route does', async () => {
    const first = await choiceOf(server.chat(hello()));
    const messages = [...hello().messages, first.message, server.user(HELLO)];
    const second = await choiceOf(server.chat({ messages }));
    expect((await tokenize({ messages })).tokens).toEqual(second.message.prompt_token_ids);
  });

  test('fails on ids without their partner', async () => {
    const messages = [{ role: 'assistant', content: 'x', prompt_token_ids: [1] }];
    expect(await told(server.post('/tokenize', JSON.stringify({ messages })))).toBe(FAILED);
  });
});

test('a custom chat template takes the place of the tokenizer’s', async () => {
  const chatTemplate = '{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}';
  const other = await scriptedServer([], { chatTemplate });
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'ab' }] });
  const headers = { 'content-type': 'application/json' };
  const answer = await json(fetch(`${other.url}/tokenize`, { method: 'POST', body, headers }));
  expect(answer.tokens).toEqual(loadTokenizer().encode('user:ab;'));
  await other.close();
});
