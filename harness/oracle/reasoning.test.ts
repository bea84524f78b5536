import { describe, expect, test } from 'vitest';
import { reasoningQwen3 } from './reasoning.ts';

type Case = [what: string, text: string, reasoning: string | null, content: string | null];

const ON: Case[] = [
  ['an opened and closed block', '<think>\nA\n</think>\n\nB', '\nA\n', '\n\nB'],
  ['a closed block whose opening was in the prompt', '\nA\n</think>\n\nB', '\nA\n', '\n\nB'],
  ['text before a generated opening tag, which is kept', 'A<think>B</think>C', 'AB', 'C'],
  ['two opening tags', '<think>A<think>B</think>C', 'AB', 'C'],
  ['an empty block', '<think>\n\n</think>\n\nB', '\n\n', '\n\nB'],
  ['nothing between the tags', '<think></think>B', null, 'B'],
  ['nothing after the block', '<think>A</think>', 'A', null],
  ['no tags at all', 'Four.', 'Four.', null],
  ['an opening tag alone', '<think>', null, null],
  ['nothing', '', null, null],
  ['a cut inside the block', '<think>\nThe user', '\nThe user', null],
  ['further closing tags, which vanish', '<think>A</think>B</think>C</think>D', 'A', 'BCD'],
  ['an opening tag in content, which stays', '<think>A</think>B<think>C', 'A', 'B<think>C'],
  ['a whole second block in content', '<think>A</think>B<think>C</think>D', 'A', 'B<think>CD'],
  ['a call that ends reasoning', '<think>A<tool_call>{}</tool_call>', 'A', '<tool_call>{}</tool_call>'],
  [
    'a call before the closing tag',
    '<think>A<tool_call>{}</tool_call></think>B',
    'A',
    '<tool_call>{}</tool_call>B',
  ],
  ['a call from the first token on', '<tool_call>{}</tool_call>', null, '<tool_call>{}</tool_call>'],
  [
    'a closing tag inside call arguments, which vanishes',
    '<think>A</think><tool_call>{"a": "x</think>y"}</tool_call>',
    'A',
    '<tool_call>{"a": "xy"}</tool_call>',
  ],
  ['the end of a call inside reasoning', 'A</tool_call>B</think>C', 'A</tool_call>B', 'C'],
];

const OFF: Case[] = [
  ['plain text', 'Four.', null, 'Four.'],
  ['a stray closing tag', 'Well</think>Four.', null, 'Well</think>Four.'],
  ['a whole block', '<think>\nA\n</think>\n\nB', null, '<think>\nA\n</think>\n\nB'],
  ['nothing, which is "" and not null', '', null, ''],
];

describe('the qwen3 reasoning parser, thinking on, reads', () => {
  test.each(ON)('%s', (_, text, reasoning, content) => {
    expect(reasoningQwen3(text, true)).toEqual({ reasoning, content });
  });
});

describe('the qwen3 reasoning parser, thinking off, leaves in content', () => {
  test.each(OFF)('%s', (_, text, reasoning, content) => {
    expect(reasoningQwen3(text, false)).toEqual({ reasoning, content });
  });
});
