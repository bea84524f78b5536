import { describe, expect, test } from 'vitest';
import { reasoningTrtllm, startsInReasoning } from './reasoning-trtllm.ts';

type Case = [what: string, text: string, reasoning: string, content: string];

const AT_START: Case[] = [
  ['a block, its opening tag kept', '<think>\nA\n</think>\n\nB', '<think>\nA\n', '\n\nB'],
  ['a block whose opening tag was in the prompt', '\nA\n</think>\n\nB', '\nA\n', '\n\nB'],
  ['text before an opening tag, kept', 'A<think>B</think>C', 'A<think>B', 'C'],
  ['no tags, all reasoning', 'Four.', 'Four.', ''],
  ['a cut inside the block', '<think>\nThe', '<think>\nThe', ''],
  ['nothing after the block', '<think>A</think>', '<think>A', ''],
  ['further closing tags, kept', '<think>A</think>B</think>C', '<think>A', 'B</think>C'],
  [
    'a call without a closing tag, all reasoning',
    '<tool_call>\n{}\n</tool_call>',
    '<tool_call>\n{}\n</tool_call>',
    '',
  ],
  ['nothing', '', '', ''],
];

const NOT_AT_START: Case[] = [
  ['a block', '<think>\nA\n</think>\n\nB', '\nA\n', '\n\nB'],
  ['no opening tag, all content', 'A</think>B', '', 'A</think>B'],
  ['text before the opening tag, lost', 'A<think>B</think>C', 'B', 'C'],
  ['a second opening tag, kept', '<think>A<think>B</think>C', 'A<think>B', 'C'],
  ['a closing tag before the opening one, lost', 'A</think>B<think>C', 'C', ''],
  ['a cut inside the block', '<think>\nThe', '\nThe', ''],
  ['a cut behind the opening tag', '<think>', '', ''],
  ['a second block, which is content', '<think>A</think>B<think>C</think>D', 'A', 'B<think>C</think>D'],
  ['a call inside the block, which is reasoning', '<think>A<tool_call>', 'A<tool_call>', ''],
  ['nothing', '', '', ''],
];

describe('at the start of reasoning', () => {
  test.each(AT_START)('%s', (_, text, reasoning, content) => {
    expect(reasoningTrtllm(text, true)).toEqual({ reasoning, content });
  });
});

describe('not at the start', () => {
  test.each(NOT_AT_START)('%s', (_, text, reasoning, content) => {
    expect(reasoningTrtllm(text, false)).toEqual({ reasoning, content });
  });
});

test('only deepseek-r1 asks whether thinking is on', () => {
  const modes = (['deepseek-r1', 'qwen3', 'qwen3_5'] as const).map((name) => [
    startsInReasoning(name, true),
    startsInReasoning(name, false),
  ]);
  expect(modes).toEqual([
    [true, false],
    [false, false],
    [true, true],
  ]);
});
