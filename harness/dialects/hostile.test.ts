import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';
import { vllmServe } from './vllm-serve.ts';

/** How errors and hostile bodies are read: as an outcome, never as a throw. */
const DIALECTS = [nemoRlVllm, nemoRlTrtllm, vllmServe];

const body = (message: string, choice = '', top = ''): string =>
  `{"choices":[{"message":{${message}}${choice && `,${choice}`}}]${top && `,${top}`}}`;

describe('an error status is a refusal with its text, whatever the body:', () => {
  test.each([
    [500, 'Internal Server Error'],
    [400, '{"error":{"message":"too long","type":"invalid_request_error","code":400}}'],
    [404, '{"error":{"message":"no model","type":"NotFoundError","param":"model","code":404}}'],
    [422, '{"detail":[{"type":"missing","loc":["body","messages"]}]}'],
    [400, '{"error":"context length exceeded"}'],
    [307, ''],
    [503, body('"content":"an answer all the same"')],
  ])('%i %s', (status, text) => {
    for (const dialect of DIALECTS) {
      expect(dialect.read(status, text)).toEqual({
        reading: { outcome: 'refused', http_status: status, error: text },
      });
    }
  });

  test('a text that echoes the whole request is cut', () => {
    const { error = '' } = nemoRlVllm.read(422, 'x'.repeat(1e6)).reading;
    expect(error).toBe(`${'x'.repeat(400)}…`);
  });
});

describe('a body without one message is unreadable:', () => {
  const NO_MESSAGE = 'the body has no `choices` with one `message`';
  test.each([
    ['nothing', '', /^the body is not JSON/],
    ['HTML', '<html>', /^the body is not JSON/],
    ['a body cut short', '{"choices":[{"message":{"content":"a', /^the body is not JSON/],
    ['a stream', 'data: {"choices":[]}\n\ndata: [DONE]\n\n', /^a stream of events came/],
    ['a bomb of brackets', '['.repeat(1e5), /^the body is not JSON/],
    ['null', 'null', NO_MESSAGE],
    ['a list', '[]', NO_MESSAGE],
    ['no choices', '{"object":"chat.completion"}', NO_MESSAGE],
    ['an empty list of choices', '{"choices":[]}', NO_MESSAGE],
    ['two choices', '{"choices":[{"message":{}},{"message":{}}]}', NO_MESSAGE],
    ['choices by number', '{"choices":{"0":{"message":{}},"length":1}}', NO_MESSAGE],
    ['a message that is null', '{"choices":[{"message":null}]}', NO_MESSAGE],
    ['a message that is a list', '{"choices":[{"message":[]}]}', NO_MESSAGE],
  ])('%s', (_what, text, error) => {
    for (const dialect of DIALECTS) {
      const { reading, message } = dialect.read(200, text);
      expect([reading.outcome, message]).toEqual(['unreadable', undefined]);
      expect(reading.error).toMatch(error);
    }
  });
});

test('whatever JSON stands in a message, a choice or the body, reading it does not throw', () => {
  const any = fc.json({ maxDepth: 4 });
  const key = fc.constantFrom(
    'content',
    'reasoning',
    'tool_calls',
    'prompt_token_ids',
    'generation_log_probs',
    'usage',
    'logprobs',
    'token_ids',
    '__proto__',
    'finish_reason',
  );
  const members = fc.dictionary(key, any, { maxKeys: 4 }).map((found) =>
    Object.entries(found)
      .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
      .join(','),
  );
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(members, members, members, (message, choice, top) => {
      for (const dialect of DIALECTS)
        outcomes.add(dialect.read(200, body(message, choice, top)).reading.outcome);
    }),
    { numRuns: 500, seed: 1 },
  );
  expect([...outcomes].sort()).toEqual(['answered', 'unreadable']);
});
