import { describe, expect, test } from 'vitest';
import { splicePrompt } from './splice.ts';
import { END_OF_TEXT, EOS } from './tokenizer.ts';

// A template of two turns: user 1, assistant 2, user 3, generation prompt 9; 8 is the header of a turn.
const template = [8, 1, EOS, 8, 2, EOS, 8, 3, EOS, 9];
const templatePrefix = [8, 1, EOS, 8, 2, EOS];
const after = [EOS, 8, 3, EOS, 9];

type Case = [what: string, prefix: number[], ids: number[]];

const CASES: Case[] = [
  ['ids that end on the end of turn', [8, 1, EOS, 8, 7, 7, EOS], [8, 1, EOS, 8, 7, 7, ...after]],
  ['ids of a cut turn', [8, 1, EOS, 8, 7, 7], [8, 1, EOS, 8, 7, 7, ...after]],
  ['two ends of turn, of which one is dropped', [7, EOS, EOS], [7, EOS, ...after]],
  ['the other end of text, which stays', [7, END_OF_TEXT], [7, END_OF_TEXT, ...after]],
  ['ids that have nothing to do with the messages', [1, 2, 3], [1, 2, 3, ...after]],
  ['no ids, which leave the template as it is', [], template],
];

describe('the splice keeps', () => {
  test.each(CASES)('%s', (_, prefix, ids) => {
    expect(splicePrompt({ prefix, templatePrefix, template })?.ids).toEqual(ids);
  });
});

test('the cut is counted in ends of turn, not in positions', () => {
  const longer = [8, 1, EOS, 8, 5, 5, 5, 2, EOS]; // the prefix renders longer than the template shows the same turns
  const splice = splicePrompt({ prefix: [4, EOS], templatePrefix: longer, template });
  expect(splice).toEqual({ ids: [4, ...after], kept: 1, cut: 5 });
});

test('an end of turn that a user typed counts in both renders', () => {
  const typed = [8, 1, EOS, 6, EOS, 8, 2, EOS];
  const splice = splicePrompt({ prefix: [4], templatePrefix: typed, template: [...typed, 8, 3, EOS, 9] });
  expect(splice?.ids).toEqual([4, ...after]);
});

test('there is no splice where the template holds fewer ends of turn, or none are counted', () => {
  expect(splicePrompt({ prefix: [4], templatePrefix: [EOS, EOS], template: [EOS, 1] })).toBeUndefined();
  expect(splicePrompt({ prefix: [4], templatePrefix: [1, 2], template })).toBeUndefined();
});
