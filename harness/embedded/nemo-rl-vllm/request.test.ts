import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELLO, json, type ScriptedServer, scriptedServer } from '../fixtures.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });

describe('fields of a wrong type', () => {
  const CASES: [field: Record<string, unknown>, type: string, msg: string][] = [
    [
      { max_tokens: 'x' },
      'int_parsing',
      'Input should be a valid integer, unable to parse string as an integer',
    ],
    [
      { max_tokens: 1.5 },
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
    ],
    [{ max_tokens: [] }, 'int_type', 'Input should be a valid integer'],
    [
      { temperature: 'x' },
      'float_parsing',
      'Input should be a valid number, unable to parse string as a number',
    ],
    [{ logprobs: 'x' }, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
    [{ model: 1 }, 'string_type', 'Input should be a valid string'],
    [{ chat_template_kwargs: [] }, 'dict_type', 'Input should be a valid dictionary'],
    [{ tools: {} }, 'list_type', 'Input should be a valid list'],
  ];
  test.each(CASES)('%o is a 422 that names it', async (field, type, msg) => {
    const response = await server.chat({ ...hello(), ...field });
    const [name = ''] = Object.keys(field);
    expect(response.status).toBe(422);
    expect(await json(response)).toEqual({
      detail: [{ type, loc: ['body', name], msg, input: field[name] }],
    });
  });

  test('are all reported, in the order of the model', async () => {
    const body = await json(server.chat({ ...hello(), top_p: 'x', model: 1, seed: 'y' }));
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['model', 'seed', 'top_p']);
  });

  test('pass where pydantic converts them', async () => {
    const body = { ...hello(), temperature: '1', top_p: true, max_tokens: '3', logprobs: 'on', top_k: -1.0 };
    expect((await server.chat(body)).status).toBe(200);
  });
});
