import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { ConversationError, conversationVllm, toolsVllm } from './conversation.ts';

const objects = (text: string): JsonObject[] => {
  const value: Json = parseJson(text);
  if (!Array.isArray(value)) throw new Error('a test gives a list');
  return value.filter(isObject);
};
const prepared = (message: string): string =>
  printJson(conversationVllm(objects(`[${message}]`))).slice(1, -1);

type Case = [what: string, message: string, prepared: string];

const MESSAGES: Case[] = [
  ['missing content as ""', '{"role":"user"}', '{"role":"user","content":""}'],
  ['null content as ""', '{"role":"assistant","content":null}', '{"role":"assistant","content":""}'],
  [
    'text parts joined by a newline',
    '{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}',
    '{"role":"user","content":"a\\nb"}',
  ],
  ['plain strings among parts', '{"role":"user","content":["a","b"]}', '{"role":"user","content":"a\\nb"}'],
  [
    'a text part without text not at all',
    '{"role":"user","content":[{"type":"text","text":null},{"type":"text","text":"b"}]}',
    '{"role":"user","content":"b"}',
  ],
  ['developer as system', '{"role":"developer","content":"x"}', '{"role":"system","content":"x"}'],
  ['unknown roles as they are', '{"role":"robot","content":"x"}', '{"role":"robot","content":"x"}'],
  [
    'no ids and no unknown keys',
    '{"role":"user","content":"x","prompt_token_ids":[1],"zzz":1,"name":"n"}',
    '{"role":"user","content":"x","name":"n"}',
  ],
  [
    'reasoning under both names',
    '{"role":"assistant","content":"x","reasoning":"r"}',
    '{"role":"assistant","content":"x","reasoning":"r","reasoning_content":"r"}',
  ],
  [
    'reasoning before reasoning_content',
    '{"role":"assistant","content":"x","reasoning_content":"c","reasoning":"r"}',
    '{"role":"assistant","content":"x","reasoning":"r","reasoning_content":"r"}',
  ],
  [
    'reasoning_content where reasoning is null',
    '{"role":"assistant","content":"x","reasoning":null,"reasoning_content":"c"}',
    '{"role":"assistant","content":"x","reasoning":"c","reasoning_content":"c"}',
  ],
  [
    'no reasoning of a user',
    '{"role":"user","content":"x","reasoning":"r"}',
    '{"role":"user","content":"x"}',
  ],
  [
    'an empty list of calls not at all',
    '{"role":"assistant","content":"x","tool_calls":[]}',
    '{"role":"assistant","content":"x"}',
  ],
  [
    'null calls not at all',
    '{"role":"assistant","content":"x","tool_calls":null}',
    '{"role":"assistant","content":"x"}',
  ],
];

/** History arguments, by the text the client sent and the value the template prints. */
const ARGUMENTS: [text: string, value: string][] = [
  ['"{\\"city\\": \\"Oslo\\"}"', '{"city":"Oslo"}'],
  ['"{\\"b\\":1.0,\\"a\\":9007199254740993}"', '{"b":1.0,"a":9007199254740993}'],
  ['""', '{}'],
  ['"null"', '{}'],
  ['"[1,2]"', '[1,2]'],
  ['"3"', '3'],
];

const REFUSED: [what: string, message: string][] = [
  [
    'arguments that are not JSON',
    '{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{bad"}}]}',
  ],
  ['an empty list of parts', '{"role":"user","content":[]}'],
  ['a part of the responses API', '{"role":"user","content":[{"type":"input_text","text":"x"}]}'],
  ['an image on a text model', '{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}'],
  ['a part without a type', '{"role":"user","content":[{"text":"x"}]}'],
  ['a number', '{"role":"user","content":5}'],
];

describe('vLLM hands the template', () => {
  test.each(MESSAGES)('%s', (_, message, expected) => {
    expect(prepared(message)).toBe(expected);
  });

  test.each(ARGUMENTS)('arguments %s as a value', (text, value) => {
    const call = `{"id":"c","type":"function","function":{"name":"f","arguments":${text}}}`;
    const expected = call.replace(text, value);
    expect(prepared(`{"role":"assistant","content":null,"tool_calls":[${call}]}`)).toBe(
      `{"role":"assistant","content":"","tool_calls":[${expected}]}`,
    );
  });
});

describe('vLLM fails on', () => {
  test.each(REFUSED)('%s', (_, message) => {
    expect(() => prepared(message)).toThrow(ConversationError);
  });
});

test('a part type nobody knows is named, for it has its own answer', () => {
  const message = '{"role":"user","content":[{"type":"zzz","text":"x"}]}';
  expect(() => prepared(message)).toThrow(expect.objectContaining({ unknownPart: 'zzz' }));
});

describe('a tool definition is printed', () => {
  const printed = (tool: string): string => printJson(toolsVllm([parseJson(tool)])).slice(1, -1);
  const CASES: Case[] = [
    [
      'in a fixed key order, parameters as written',
      '{"function":{"parameters":{"b":1.0,"a":1e-7},"description":"d","name":"f"},"type":"function"}',
      '{"type":"function","function":{"name":"f","description":"d","parameters":{"b":1.0,"a":1e-7}}}',
    ],
    [
      'with null for what is missing',
      '{"function":{"name":"f"}}',
      '{"type":"function","function":{"name":"f","description":null,"parameters":null}}',
    ],
    [
      'without strict: null',
      '{"type":"function","function":{"name":"f","strict":null,"description":"d","parameters":{}}}',
      '{"type":"function","function":{"name":"f","description":"d","parameters":{}}}',
    ],
    [
      'with strict, and unknown keys last',
      '{"type":"function","zzz":1,"function":{"yyy":2,"strict":true,"name":"f"}}',
      '{"type":"function","function":{"name":"f","description":null,"parameters":null,"strict":true,"yyy":2},"zzz":1}',
    ],
  ];
  test.each(CASES)('%s', (_, tool, expected) => {
    expect(printed(tool)).toBe(expected);
  });
});
