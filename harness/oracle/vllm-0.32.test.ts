import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject } from '../json/value.ts';
import { loadTokenizer } from './tokenizer.ts';
import { reasoningQwen3Dropping, toolsVllm032, withObjectArguments } from './vllm-0.32.ts';

const tokenizer = loadTokenizer();

describe('the reasoning parser of vLLM 0.32', () => {
  test.each([
    ['<think>a</think>b', 'a', 'b'],
    ['a<|im_end|>b</think>c<|box_start|>d', 'ab', 'cd'],
    ['<|im_start|></think><|im_end|>', null, null],
    ['a</thi<|im_end|>nk>b', 'a</think>b', null],
    ['a<tool_call>b<|im_end|>c</think>d', 'a', '<tool_call>bcd'],
    ['a</think>b<think>c</think>\ue000', 'a', 'b<think>c\ue000'],
    ['<|im_end', '<|im_end', null],
  ])('splits %j', (text, reasoning, content) => {
    expect(reasoningQwen3Dropping(text, true, tokenizer)).toEqual({ reasoning, content });
  });

  test('touches nothing while thinking is off', () => {
    const text = '<think>a</think><|im_end|>';
    expect(reasoningQwen3Dropping(text, false, tokenizer)).toEqual({ reasoning: null, content: text });
  });
});

const object = (text: string) => {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error('the test wants an object');
  return value;
};

test.each([
  ['"{\\"a\\": 1}"', '"{\\"a\\": 1}"'],
  ['"{\\"a\\": x}"', '"{}"'],
  ['"[1]"', '"{}"'],
  ['"null"', '"{}"'],
  ['""', '"{}"'],
  ['{"a":1}', '{"a":1}'],
])('call arguments %s become %s', (given, expected) => {
  const call = (args: string) =>
    `{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${args}}}]}`;
  expect(printJson(withObjectArguments(object(call(given))))).toBe(call(expected));
});

test('arguments of a message that is no assistant’s stay', () => {
  const message = object('{"role":"user","tool_calls":[{"function":{"arguments":"x"}}]}');
  expect(withObjectArguments(message)).toBe(message);
});

test('tools lose the keys that the request model does not name, parameters keep theirs', () => {
  const tool = '{"x":1,"function":{"strict":true,"y":2,"name":"f","parameters":{"z":1.0}},"type":"function"}';
  expect(printJson(toolsVllm032([object(tool)]))).toBe(
    '[{"type":"function","function":{"name":"f","description":null,"parameters":{"z":1.0},"strict":true}}]',
  );
});
