import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadRecording } from '../../embedded/recording.ts';
import { printJson } from '../../json/print.ts';
import { Oracle } from '../../oracle/oracle.ts';
import { ChatTemplate } from '../../oracle/template.ts';
import { EOS } from '../../oracle/tokenizer.ts';
import type { Dialect } from '../dialect.ts';
import { messages, turnOf } from '../fixtures.ts';
import { nemoRlTrtllm, nemoRlVllm } from '../nemo-rl.ts';
import { type TokenApi, tokenAnswer } from './api.ts';
import { trtllmCompletions, vllmCompletions } from './completions.ts';
import { tokensDialect } from './dialect.ts';
import { sglang } from './sglang.ts';
import { vllmGenerate } from './vllm-generate.ts';

const oracle = new Oracle();
const { tokenizer } = oracle;

/** The exact bytes that are sent. */
const REQUESTS: [name: string, api: TokenApi, body: string][] = [
  [
    '/inference/v1/generate',
    vllmGenerate,
    '{"model":"m","token_ids":[1,2],"sampling_params":{"temperature":0.0,"top_p":1.0,"top_k":-1,"min_p":0.0,"repetition_penalty":1.0,"presence_penalty":0.0,"frequency_penalty":0.0,"max_tokens":64,"logprobs":0,"detokenize":false},"return_token_ids":true}',
  ],
  [
    '/v1/completions',
    vllmCompletions,
    '{"model":"m","prompt":[1,2],"temperature":0.0,"top_p":1.0,"max_tokens":64,"top_k":-1,"min_p":0.0,"repetition_penalty":1.0,"presence_penalty":0.0,"frequency_penalty":0.0,"logprobs":0,"return_token_ids":true,"return_tokens_as_token_ids":true}',
  ],
  [
    '/generate',
    sglang,
    '{"input_ids":[1,2],"sampling_params":{"temperature":0.0,"top_p":1.0,"top_k":-1,"min_p":0.0,"repetition_penalty":1.0,"presence_penalty":0.0,"frequency_penalty":0.0,"max_new_tokens":64},"return_logprob":true,"top_logprobs_num":0,"stream":false}',
  ],
  [
    '/v1/completions',
    trtllmCompletions,
    '{"model":"m","prompt":[1,2],"temperature":0.0,"top_p":1.0,"max_tokens":64,"logprobs":1,"detokenize":false}',
  ],
];

test.for(REQUESTS)('what is sent to %s', ([path, api, body]) => {
  expect(api.path).toBe(path);
  expect(printJson(api.request({ model: 'm', prompt: [1, 2], maxTokens: 64, topLogprobs: 0 }))).toBe(body);
});

const recorded = loadRecording(
  fileURLToPath(
    new URL('../../embedded/recordings/vllm-serve-0.32-tokens/e01_token_routes.json.gz', import.meta.url),
  ),
);
const fieldsOf = (api: TokenApi, label: string) => {
  const exchange = recorded.exchanges.find((entry) => entry.label === label);
  const answer = tokenAnswer(api, exchange?.status ?? 0, exchange?.answer ?? '');
  return answer.ok ? answer.fields : answer.reading;
};

test('the real /inference/v1/generate is read: ids, log-probs, alternatives, finish reason, usage', () => {
  expect(fieldsOf(vllmGenerate, 'two alternatives')).toEqual({
    generation_token_ids: [198],
    logprobs: [-1.4925371408462524],
    top_logprobs: [
      [
        { token: 'token_id:198', logprob: -1.4925371408462524 },
        { token: 'token_id:63069', logprob: -8.555037498474121 },
      ],
    ],
    engine_finish_reason: 'length',
    usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
  });
  expect(fieldsOf(vllmGenerate, 'an id outside the vocabulary')).toMatchObject({
    outcome: 'refused',
    http_status: 400,
  });
  expect(fieldsOf(vllmGenerate, 'a stream')).toEqual({
    outcome: 'unreadable',
    http_status: 200,
    error: 'a stream of events came, though none was asked for',
  });
});

test('the real /v1/completions is read, its prompt ids on the choice', () => {
  const fields = fieldsOf(vllmCompletions, 'ids on the completions route, tokens as text');
  expect(fields).toEqual({
    prompt_token_ids: [151644, 872, 198, 9707, 151645, 198, 151644, 77091, 198],
    generation_token_ids: [198, 151644, 151644],
    logprobs: [-1.4925371408462524, -1.4905322790145874, -1.4404964447021484],
    engine_finish_reason: 'length',
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  });
});

const READ: [name: string, api: TokenApi, body: string, fields: unknown][] = [
  [
    "SGLang's answer",
    sglang,
    '{"text":"x","output_ids":[7,151645],"meta_info":{"id":"r","finish_reason":{"type":"stop","matched":151645},"prompt_tokens":2,"completion_tokens":2,"cached_tokens":0,"output_token_logprobs":[[-0.5,7,null],[-0.25,151645,null]],"output_top_logprobs":[[[-0.5,7,null],[-2.0,8,null]],[[-0.25,151645,null],[-3.0,9,null]]]}}',
    {
      generation_token_ids: [7, 151645],
      logprobs: [-0.5, -0.25],
      top_logprobs: [
        [
          { token: 'token_id:7', logprob: -0.5 },
          { token: 'token_id:8', logprob: -2 },
        ],
        [
          { token: 'token_id:151645', logprob: -0.25 },
          { token: 'token_id:9', logprob: -3 },
        ],
      ],
      engine_finish_reason: 'stop',
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    },
  ],
  [
    "SGLang's answer that contradicts itself",
    sglang,
    '{"output_ids":[7],"meta_info":{"output_token_logprobs":[[-0.5,8,null]]}}',
    {
      outcome: 'unreadable',
      http_status: 200,
      error: 'log-prob 0 is of id 8, the generated id there is 7',
    },
  ],
  [
    "SGLang's answer without ids",
    sglang,
    '{"text":"x","meta_info":{"finish_reason":{"type":"length","length":1}}}',
    { engine_finish_reason: 'length' },
  ],
  [
    'an answer of another shape',
    sglang,
    '[{"text":"x"}]',
    { outcome: 'unreadable', http_status: 200, error: 'the body has no `meta_info`' },
  ],
  [
    "trtllm-serve's answer, whose tokens are texts",
    trtllmCompletions,
    '{"id":"cmpl-1","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":"","token_ids":[7,151645],"logprobs":{"text_offset":[0,1],"token_logprobs":[-0.5,-0.25],"tokens":["a","<|im_end|>"],"top_logprobs":[{"a":-0.5},{"<|im_end|>":-0.25}]},"context_logits":null,"finish_reason":"stop","stop_reason":null,"disaggregated_params":null,"avg_decoded_tokens_per_iter":null}],"usage":{"prompt_tokens":2,"total_tokens":4,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":0}},"prompt_token_ids":[1,2]}',
    {
      prompt_token_ids: [1, 2],
      generation_token_ids: [7, 151645],
      logprobs: [-0.5, -0.25],
      engine_finish_reason: 'stop',
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    },
  ],
  [
    'two choices',
    vllmCompletions,
    '{"choices":[{},{}]}',
    { outcome: 'unreadable', http_status: 200, error: 'the body has no `choices` with one entry' },
  ],
];

test.for(READ)('%s is read', ([, api, body, fields]) => {
  const answer = tokenAnswer(api, 200, body);
  expect(answer.ok ? answer.fields : answer.reading).toEqual(fields);
});

const [HELLO = new Map()] = messages('[{"role":"user","content":"Hello"}]');
const tools = messages('[{"type":"function","function":{"name":"date","parameters":{}}}]');
const dialectFor = (parts: Partial<Parameters<typeof tokensDialect>[0]> = {}): Dialect =>
  tokensDialect({
    api: sglang,
    projection: nemoRlVllm,
    parsers: { tool: 'hermes', reasoning: 'qwen3' },
    histories: ['spliced'],
    oracle,
    ...parts,
  });
/** The answer to one turn of a server that generates these ids. */
const answered = (dialect: Dialect, ids: readonly number[], type: string) => {
  const question = dialect.ask(turnOf({ messages: [HELLO], tools }));
  if (typeof question === 'string') throw new Error(question);
  return question.read(200, JSON.stringify({ output_ids: ids, meta_info: { finish_reason: { type } } }));
};
const CALL = tokenizer.encode(
  '<think>\nNow.\n</think>\n\n<tool_call>\n{"name": "date", "arguments": {}}\n</tool_call>',
);

test('the message is spelled as the server kind spells it, and goes back with the ids of both sides', () => {
  const { reading, message = new Map() } = answered(dialectFor(), [...CALL, EOS], 'stop');
  expect(reading).toMatchObject({
    reasoning: '\nNow.\n',
    reasoning_field: 'reasoning',
    content: null,
    tool_calls: [{ name: 'date', arguments: '{}' }],
    finish_reason: 'tool_calls',
    engine_finish_reason: 'stop',
  });
  const echoed = printJson(dialectFor().echo(message, 'spliced'));
  expect(echoed).toContain(`"generation_token_ids":[${[...CALL, EOS]}]`);
  expect(echoed).toContain(`"prompt_token_ids":[${reading.prompt_token_ids}]`);
  expect(printJson(dialectFor().echo(message, 'rerendered'))).not.toContain('token_ids');

  const other = dialectFor({ projection: nemoRlTrtllm, parsers: { tool: 'qwen3', reasoning: 'qwen3' } });
  const plain = answered(other, [...tokenizer.encode('Hi'), EOS], 'stop').reading;
  expect([plain.reasoning, plain.reasoning_field, plain.content, plain.tool_calls]).toEqual([
    '',
    'reasoning_content',
    'Hi',
    undefined,
  ]);
});

test('the next prompt is spliced: the ids as they came, then what the template adds', () => {
  const dialect = dialectFor();
  const split = [26951, 3834]; // ` Skinny` in pieces, which the tokenizer would not give
  const { reading, message = new Map() } = answered(dialect, [...split, EOS], 'stop');
  const said = [HELLO, dialect.echo(message, 'spliced'), HELLO];
  const question = dialect.ask(turnOf({ messages: said, tools }));
  const sent = typeof question === 'string' ? question : printJson(question.body);
  expect(sent).toContain(`[${[...(reading.prompt_token_ids ?? []), ...split, EOS, 198]},`);
});

test('a prompt that the server kind could not make is not asked, with the reason', () => {
  const raising = new Oracle(tokenizer, new ChatTemplate('{{ raise_exception("not this one") }}'));
  expect(dialectFor({ oracle: raising }).ask(turnOf({ messages: [HELLO] }))).toBe(
    'our own oracle cannot make this prompt: not this one',
  );
  const [carrier = new Map()] = messages(
    '[{"role":"assistant","content":"x","prompt_token_ids":[1],"generation_token_ids":[2]}]',
  );
  const bare = new Oracle(tokenizer, new ChatTemplate('x'));
  expect(dialectFor({ oracle: bare }).ask(turnOf({ messages: [HELLO, carrier, HELLO] }))).toBe(
    "our own oracle cannot make this prompt: nemo-rl-vllm's splice fails on it",
  );
});

test('a reply on which the parsers of the server kind fail has ids and no message', () => {
  const dialect = dialectFor({ projection: nemoRlTrtllm, parsers: { tool: 'qwen3', reasoning: 'qwen3' } });
  const bad = tokenizer.encode('<tool_call>\n[1]\n</tool_call>');
  const { reading, message } = answered(dialect, [...bad, EOS], 'stop');
  expect(message).toBeUndefined();
  expect(reading).toMatchObject({
    outcome: 'answered',
    generation_token_ids: [...bad, EOS],
    error: "our own oracle cannot parse this reply: nemo-rl-trtllm's parsers fail on it",
  });
  expect(Object.keys(reading)).not.toContain('content');
});
