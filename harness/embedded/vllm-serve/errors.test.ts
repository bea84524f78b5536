import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELLO, json, type ScriptedServer, scriptedServer, TOOLS, told } from '../fixtures.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO], { server: 'vllm-serve' });
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });
const CHAT = '/v1/chat/completions';
const error = (message: string, type: string, param: string | null, code = 400) => ({
  error: { message, type, param, code },
});

describe('a refused request', () => {
  test('that does not validate has its problems in one text', async () => {
    const response = await server.chat({ ...hello(), top_p: 'x', max_tokens: 1.5 });
    expect([response.status, await json(response)]).toEqual([
      400,
      error(
        "2 validation errors:\n  {'type': 'int_from_float', 'loc': 'body.max_tokens', 'msg': 'Input should be a valid " +
          "integer, got a number with a fractional part', 'input': '1.5'}\n  {'type': 'float_parsing', 'loc': " +
          "'body.top_p', 'msg': 'Input should be a valid number, unable to parse string as a number', 'input': 'x'}",
        'Bad Request',
        'body.max_tokens',
      ),
    ]);
  });

  test('shows ten problems, and no more than 200 characters of an input', async () => {
    const body = await json(
      server.chat({ messages: [{ role: 'user', content: null }], user: 'u', seed: 'x'.repeat(201) }),
    );
    expect(body.error.message).toContain('...and 10 more errors');
    const [, input] =
      /'input': '(x+\.\.\.\[truncated\])'/.exec(
        (await json(server.chat({ ...hello(), seed: 'x'.repeat(201) }))).error.message,
      ) ?? [];
    expect(input).toBe(`${'x'.repeat(200)}...[truncated]`);
  });

  test.each([
    [
      { tools: [] },
      'tools',
      '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely. (parameter=tools)',
    ],
    [
      { tool_choice: 'auto' },
      'tool_choice',
      'When using `tool_choice`, `tools` must be set. (parameter=tool_choice)',
    ],
    [
      { tools: TOOLS, tool_choice: 'any' },
      'tool_choice',
      'Invalid value for `tool_choice`: any! Only named tools, "none", "auto" or "required" are supported. (parameter=tool_choice)',
    ],
    [
      { stream_options: { include_usage: true } },
      'stream_options',
      'Stream options can only be defined when `stream=True`. (parameter=stream_options)',
    ],
    [
      { top_logprobs: '1' },
      'top_logprobs',
      '`top_logprobs` must be an integer. (parameter=top_logprobs, value=1)',
    ],
    [
      { top_logprobs: 21 },
      'logprobs',
      'Requested sample logprobs of 21, which is greater than max allowed: 20 (parameter=logprobs, value=21)',
    ],
    [
      { temperature: 3 },
      'temperature',
      'temperature must be in [0, 2], got 3.0. (parameter=temperature, value=3.0)',
    ],
    [{ top_p: 0 }, 'top_p', 'top_p must be in (0, 1], got 0.0. (parameter=top_p, value=0.0)'],
    [{ top_k: -2 }, null, 'top_k must be 0 (disable), or at least 1, got -2.'],
    [{ repetition_penalty: 0 }, null, 'repetition_penalty must be greater than zero, got 0.0.'],
    [{ n: 2, temperature: 0 }, null, 'n must be 1 when using greedy sampling, got 2.'],
    [{ min_tokens: 5, max_tokens: 2 }, null, 'min_tokens must be less than or equal to max_tokens=2, got 5.'],
    [{ stop: [''] }, null, 'stop cannot contain an empty string.'],
    [
      { stop_token_ids: [-1] },
      'stop_token_ids',
      'token_id(s) [-1] in stop_token_ids contain out-of-vocab token ids. Vocabulary size: 151936 (parameter=stop_token_ids, value=[-1])',
    ],
    [
      { max_tokens: 5000 },
      'max_tokens',
      'max_tokens=5000 cannot be greater than max_model_len=4096. Please request fewer output tokens. (parameter=max_tokens, value=5000)',
    ],
    [{ messages: null }, null, "'NoneType' object is not iterable"],
    [
      { messages: [] },
      null,
      'Cannot apply chat template to an empty conversation. Provide at least one message.',
    ],
    [
      { chat_template: 'x' },
      null,
      'Chat template is passed with request, but --trust-request-chat-template is not set. Refused request with untrusted chat template.',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      null,
      'scripted is not a multimodal model',
    ],
    [
      { messages: [{ role: 'user', content: '\ud83d' }] },
      null,
      'TextEncodeInput must be Union[TextInputSequence, Tuple[InputSequence, InputSequence]]',
    ],
  ])('%j says which parameter', async (fields, param, message) => {
    const response = await server.chat({ ...hello(), ...fields });
    expect([response.status, await json(response)]).toEqual([400, error(message, 'BadRequestError', param)]);
  });

  test('for another model names the one that is served', async () => {
    const response = await server.chat({ ...hello(), model: 'other' });
    const message = 'The model `other` does not exist. Valid aliases: scripted.';
    expect([response.status, await json(response)]).toEqual([
      404,
      error(message, 'NotFoundError', 'model', 404),
    ]);
  });
});

describe('a body', () => {
  test.each([
    ['', "{'type': 'missing', 'loc': 'body', 'msg': 'Field required', 'input': 'None'}"],
    [
      '[1]',
      "{'type': 'model_attributes_type', 'loc': 'body', 'msg': 'Input should be a valid dictionary or object to extract fields from', 'input': '<list of 1 items>'}",
    ],
    [
      '{"a":',
      "{'type': 'json_invalid', 'loc': 'body.5', 'msg': 'JSON decode error', 'input': '<dict of 0 items>', 'ctx': {'error': 'Expecting value'}}",
    ],
  ])('of %j is refused as one problem', async (body, problem) => {
    expect((await json(server.post(CHAT, body))).error.message).toBe(`1 validation error:\n  ${problem}`);
  });

  test('must be called JSON, and be UTF-8', async () => {
    expect((await json(server.post(CHAT, '{}', 'text/plain'))).error.message).toBe(
      "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed",
    );
    expect(await told(server.post(CHAT, Buffer.from('{"a":"\xff"}', 'latin1')))).toBe(
      '400 application/json {"detail":"There was an error parsing the body"}',
    );
  });
});

test('a content part that fits no model of its role is printed as pydantic prints it', async () => {
  const part = { type: 'input_text', text: 'x'.repeat(40) };
  const { message } = (await json(server.chat({ messages: [{ role: 'user', content: [part] }] }))).error;
  expect(message.split('\n').slice(0, 6)).toEqual([
    '7 validation errors for ValidatorIterator',
    '0.ChatCompletionContentPartTextParam.type',
    "  Input should be 'text' [type=literal_error, input_value='input_text', input_type=str]",
    '    For further information visit https://errors.pydantic.dev/2.14/v/literal_error',
    '0.ChatCompletionContentPartImageParam.image_url',
    `  Field required [type=missing, input_value={'type': 'input_text', 't...${'x'.repeat(22)}'}, input_type=dict]`,
  ]);
});
