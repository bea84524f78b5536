import { describe, expect, test } from 'vitest';
import { textVllm } from './detokenize.ts';
import { END_OF_TEXT, EOS, loadTokenizer } from './tokenizer.ts';

const tokenizer = loadTokenizer();
/** ` 🦩` in the vocabulary's three tokens: a blank with two bytes, then a byte each. */
const [BLANK_AND_HALF, THIRD, FOURTH] = [11162, 99, 102] as const;
const AB = 370;

type Case = [what: string, ids: number[], endedByStop: boolean, text: string];

const CASES: Case[] = [
  ['no id', [], false, ''],
  ['an end-of-turn id that stopped', [AB, EOS], true, 'ab'],
  ['the other end of text', [AB, END_OF_TEXT], true, 'ab'],
  ['an end-of-turn id that a cut left last', [AB, EOS], false, 'ab<|im_end|>'],
  ['an end-of-turn id inside', [EOS, AB], false, '<|im_end|>ab'],
  ['only a stop id', [EOS], true, ''],
  ['a stop by a stop string, whose last id is text', [AB], true, 'ab'],
  ['a whole character in pieces', [AB, BLANK_AND_HALF, THIRD, FOURTH], false, 'ab 🦩'],
  ['a cut one byte short: the blank waits with the half character', [AB, BLANK_AND_HALF, THIRD], false, 'ab'],
  ['a cut after the first two bytes', [AB, BLANK_AND_HALF], false, 'ab'],
  ['a half character before a stop id', [AB, BLANK_AND_HALF, EOS], true, 'ab'],
  ['a half character that other text follows', [BLANK_AND_HALF, AB], false, ' \uFFFDab'],
  ['a lone byte inside', [AB, THIRD, AB], false, 'ab\uFFFDab'],
  ['nothing but half a character', [THIRD], false, ''],
];

describe('text of a generation, as it streams out of vLLM, for', () => {
  test.each(CASES)('%s', (_, ids, endedByStop, text) => {
    expect(textVllm(tokenizer, ids, endedByStop)).toBe(text);
  });
});

test('a stop id of the request is no text when it is named as one', () => {
  const stopIds = new Set([AB]);
  expect(textVllm(tokenizer, [FOURTH, AB, AB], true, { stopIds })).toBe('\uFFFDab');
  expect(textVllm(tokenizer, [AB, AB], true)).toBe('abab');
});

test('special tokens are left out where no parser asks for them, think tags are not special', () => {
  const ids = tokenizer.encode('<think>a<|im_start|>b</think>');
  expect(textVllm(tokenizer, ids, false, { skipSpecial: true })).toBe('<think>ab</think>');
  expect(textVllm(tokenizer, ids, false)).toBe('<think>a<|im_start|>b</think>');
});
