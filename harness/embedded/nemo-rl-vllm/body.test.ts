import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILED, HELLO, type ScriptedServer, scriptedServer, told } from '../fixtures.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer([HELLO]);
});
afterAll(() => server.close());

const hello = () => ({ messages: [server.user(HELLO)] });

describe('a body', () => {
  const detail = (status: number, entry: string) => `${status} application/json {"detail":[${entry}]}`;
  const invalid = (at: number, error: string) =>
    detail(
      422,
      `{"type":"json_invalid","loc":["body",${at}],"msg":"JSON decode error","input":{},"ctx":{"error":"${error}"}}`,
    );
  const CASES: [what: string, body: string, told: string][] = [
    [
      'that is missing',
      '',
      detail(422, '{"type":"missing","loc":["body"],"msg":"Field required","input":null}'),
    ],
    [
      'that is null',
      'null',
      detail(422, '{"type":"missing","loc":["body"],"msg":"Field required","input":null}'),
    ],
    ['cut short', '{"a": ', invalid(6, 'Expecting value')],
    ['with an open string', '{"ü": "abc', invalid(6, 'Unterminated string starting at')],
    ['with a bare key', '{a: 1}', invalid(1, 'Expecting property name enclosed in double quotes')],
    ['without a comma', '{"a": 1 "b"}', invalid(8, "Expecting ',' delimiter")],
    ['with more behind it', '{} {}', invalid(3, 'Extra data')],
    ['that is a list', '[]', FAILED],
    ['that is a string', '"x"', FAILED],
    [
      'without messages',
      '{}',
      detail(422, '{"type":"missing","loc":["body","messages"],"msg":"Field required","input":{}}'),
    ],
    ['with null messages', '{"messages": null}', FAILED],
    ['with no messages', '{"messages": [], "temperature": 1, "top_p": 1}', FAILED],
    [
      'with messages of another kind',
      '{"messages": "x"}',
      detail(
        422,
        '{"type":"list_type","loc":["body","messages"],"msg":"Input should be a valid list","input":"x"}',
      ),
    ],
  ];
  test.each(CASES)('%s is refused', async (_, body, expected) => {
    expect(await told(server.post('/v1/chat/completions', body))).toBe(expected);
  });

  test('that is no UTF-8 is refused with 400', async () => {
    expect(await told(server.post('/v1/chat/completions', Buffer.from([0x22, 0xff, 0x22])))).toBe(
      '400 application/json {"detail":"There was an error parsing the body"}',
    );
  });

  test('of another content type fails, JSON or not', async () => {
    const body = JSON.stringify({ ...hello(), temperature: 1, top_p: 1 });
    expect(await told(server.post('/v1/chat/completions', body, 'text/plain'))).toBe(FAILED);
    expect(
      await told(server.post('/v1/chat/completions', body, 'application/json; charset=utf-8')),
    ).toContain('200');
  });
});
