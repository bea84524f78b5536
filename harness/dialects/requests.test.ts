import { expect, test } from 'vitest';
import { printJson } from '../json/print.ts';
import { messages, turnOf } from './fixtures.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';
import { vllmServe } from './vllm-serve.ts';

/** What the harness sends: exact bytes, and what of an answer goes back as history. */
const TOOLS = messages(
  '[{"type":"function","function":{"name":"f","description":"d","parameters":{"2":1.0,"1":1e-7,"n":9007199254740993}}}]',
);
const RECEIVED = `{"role":"assistant","content":null,"refusal":null,"REASONING":"\\nR\\n","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1.0}"}}],"prompt_token_ids":[1,2],"generation_token_ids":[3],"generation_log_probs":[-0.5]}`;
const receivedAs = (name: string) => {
  const [message = new Map()] = messages(`[${RECEIVED.replace('REASONING', name)}]`);
  return message;
};
const SAID = messages(
  '[{"role":"user","content":"Zürich?"},{"role":"tool","content":"r","tool_call_id":"c1"}]',
);
const [QUESTION = new Map(), RESULT = new Map()] = SAID;

const secondTurn = (dialect: typeof nemoRlVllm, name: string) =>
  printJson(
    dialect.request(
      turnOf({
        messages: [QUESTION, dialect.echo(receivedAs(name), 'spliced'), RESULT],
        tools: TOOLS,
        thinking: false,
        topLogprobs: 2,
      }),
    ),
  );

test('a turn is the same bytes for both NeMo-RL servers, whatever they call reasoning', () => {
  const body = secondTurn(nemoRlVllm, 'reasoning');
  expect(secondTurn(nemoRlTrtllm, 'reasoning_content')).toBe(body);
  expect(body).toMatchInlineSnapshot(
    `"{"model":"scripted","messages":[{"role":"user","content":"Zürich?"},{"role":"assistant","content":null,"reasoning":"\\nR\\n","reasoning_content":"\\nR\\n","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1.0}"}}],"prompt_token_ids":[1,2],"generation_token_ids":[3],"generation_log_probs":[-0.5]},{"role":"tool","content":"r","tool_call_id":"c1"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"2":1.0,"1":1e-7,"n":9007199254740993}}}],"chat_template_kwargs":{"enable_thinking":false},"temperature":0.0,"top_p":1.0,"max_tokens":64,"logprobs":true,"top_logprobs":2}"`,
  );
});

test('a turn that says nothing of tools and thinking sends nothing of them', () => {
  const bodies = [nemoRlVllm, nemoRlTrtllm].map((dialect) =>
    printJson(dialect.request(turnOf({ messages: [QUESTION] }))),
  );
  expect(bodies[1]).toBe(bodies[0]);
  expect(bodies[0]).toMatchInlineSnapshot(
    `"{"model":"scripted","messages":[{"role":"user","content":"Zürich?"}],"temperature":0.0,"top_p":1.0,"max_tokens":64,"logprobs":true,"top_logprobs":0}"`,
  );
});

test('vllm serve is asked for ids, and told the values that change nothing', () => {
  const message = receivedAs('reasoning');
  const turn = turnOf({ messages: [QUESTION, vllmServe.echo(message, 'spliced')], thinking: true });
  expect(printJson(vllmServe.request(turn))).toMatchInlineSnapshot(
    `"{"model":"scripted","messages":[{"role":"user","content":"Zürich?"},{"role":"assistant","content":null,"reasoning":"\\nR\\n","reasoning_content":"\\nR\\n","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1.0}"}}]}],"chat_template_kwargs":{"enable_thinking":true},"temperature":0.0,"top_p":1.0,"max_tokens":64,"logprobs":true,"top_logprobs":0,"top_k":-1,"min_p":0.0,"repetition_penalty":1.0,"presence_penalty":0.0,"frequency_penalty":0.0,"return_token_ids":true,"return_tokens_as_token_ids":true}"`,
  );
});

const echoed = (received: string, history: 'spliced' | 'rerendered' = 'spliced'): string => {
  const [message = new Map()] = messages(`[${received}]`);
  return printJson(nemoRlTrtllm.echo(message, history));
};

test.each([
  ['an absent key stays absent', '{}', '{"role":"assistant"}'],
  [
    'null stays null',
    '{"content":null,"reasoning":null,"tool_calls":null}',
    '{"role":"assistant","content":null,"reasoning":null,"reasoning_content":null,"tool_calls":null}',
  ],
  [
    'an empty text stays empty',
    '{"content":"","reasoning_content":""}',
    '{"role":"assistant","content":"","reasoning":"","reasoning_content":""}',
  ],
  [
    'an empty list stays empty',
    '{"tool_calls":[],"prompt_token_ids":[],"generation_token_ids":[]}',
    '{"role":"assistant","tool_calls":[],"prompt_token_ids":[],"generation_token_ids":[]}',
  ],
  ['blanks at the ends stay', '{"content":"\\n\\nA "}', '{"role":"assistant","content":"\\n\\nA "}'],
  [
    'of two reasonings the first name counts',
    '{"reasoning_content":"C","reasoning":"R"}',
    '{"role":"assistant","reasoning":"R","reasoning_content":"R"}',
  ],
  [
    'what is no part of history is left out',
    '{"refusal":null,"audio":{"id":1},"annotations":[]}',
    '{"role":"assistant"}',
  ],
])('of a message sent back, %s', (_what, received, expected) => {
  expect(echoed(received)).toBe(expected);
});

test('ids go back only where the history is spliced, and to vllm serve never', () => {
  const keys = [
    nemoRlVllm.echo(receivedAs('reasoning'), 'spliced'),
    nemoRlVllm.echo(receivedAs('reasoning'), 'rerendered'),
    vllmServe.echo(receivedAs('reasoning'), 'spliced'),
  ].map((message) => [...message.keys()].filter((key) => /token_ids|log_probs/.test(key)));
  expect(keys).toEqual([['prompt_token_ids', 'generation_token_ids', 'generation_log_probs'], [], []]);
});
