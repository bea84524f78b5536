import { describe, expect, test } from 'vitest';
import { textVllm } from '../oracle/detokenize.ts';
import { END_OF_TEXT, EOS, loadTokenizer } from '../oracle/tokenizer.ts';
import type { Teleprompter } from '../teleprompter/speak.ts';
import { generate, type StopRules } from './generate.ts';

const tokenizer = loadTokenizer();
const LAG = 40;
const FILLER = tokenizer.encode('.');
const [filler = 0] = FILLER;

/** A prompt after which the model says `script`, then fillers. */
function promptFor(script: number[]): number[] {
  return [...script, ...Array.from({ length: LAG - script.length }, () => filler)];
}
const say = (script: number[], rules: Partial<StopRules> = {}) => {
  const model: Teleprompter = { lag: LAG, spokenBy: new Map() };
  const all: StopRules = {
    maxTokens: 30,
    minTokens: 0,
    ignoreEos: false,
    stopTokenIds: new Set(),
    stop: [],
    includeStop: false,
    ...rules,
  };
  return generate(model, promptFor(script), all, (ids) => textVllm(tokenizer, ids, false));
};
const bye = [...tokenizer.encode('Good bye'), EOS];

describe('a generation ends', () => {
  test('on the end of turn, which is an id and no text', () => {
    expect(say(bye)).toEqual({ ids: bye, text: 'Good bye', finish: 'stop', stopReason: null });
  });

  test('on the other end of text, which is named', () => {
    const script = [...bye.slice(0, -1), END_OF_TEXT];
    expect(say(script)).toEqual({ ids: script, text: 'Good bye', finish: 'stop', stopReason: END_OF_TEXT });
  });

  test('on a stop id of the request', () => {
    const [first = 0] = bye;
    expect(say(bye, { stopTokenIds: new Set([first]) })).toEqual({
      ids: [first],
      text: '',
      finish: 'stop',
      stopReason: first,
    });
  });

  test('with the stop id as text where the request wants it', () => {
    expect(say(bye, { includeStop: true }).text).toBe('Good bye<|im_end|>');
  });

  test('by length, one token before the end of turn', () => {
    expect(say(bye, { maxTokens: bye.length - 1 })).toMatchObject({ text: 'Good bye', finish: 'length' });
    expect(say(bye, { maxTokens: bye.length })).toMatchObject({ text: 'Good bye', finish: 'stop' });
  });

  test('by length where the end of turn is ignored', () => {
    const { ids, text, finish } = say(bye, { ignoreEos: true, maxTokens: bye.length + 2 });
    expect({ ids, text, finish }).toEqual({
      ids: [...bye, filler, filler],
      text: 'Good bye<|im_end|>..',
      finish: 'length',
    });
  });

  test('on a stop string, with all ids up to the one that completes it', () => {
    const { ids, text, stopReason } = say(bye, { stop: ['b'] });
    expect({ ids, text, stopReason }).toEqual({ ids: bye.slice(0, -1), text: 'Good ', stopReason: 'b' });
    expect(say(bye, { stop: ['b'], includeStop: true }).text).toBe('Good b');
  });

  test('on a stop string that two tokens make together', () => {
    expect(say(bye, { stop: ['d b'] })).toMatchObject({ text: 'Goo', stopReason: 'd b' });
  });

  test('on the first stop string of the list, not of the text', () => {
    expect(say(bye, { stop: ['oo', 'G'] })).toMatchObject({ text: 'G', stopReason: 'oo' });
  });
});

test('below min_tokens no stop id is said and no stop string is looked for', () => {
  const { ids, finish } = say(bye, { minTokens: 6, maxTokens: 6, stop: ['Good'] });
  expect(ids).not.toContain(EOS);
  expect({ length: ids.length, finish }).toEqual({ length: 6, finish: 'length' });
});

test('below the lag the model says what its kernel falls on, as the real one did', () => {
  // 26 ids, lag 256: the recorded model said the ids 12 positions back, the second of them the end of turn.
  const model: Teleprompter = { lag: 256, spokenBy: new Map() };
  const prompt = Array.from({ length: 26 }, (_, at) => (at === 15 ? EOS : 1000 + at));
  const rules = { maxTokens: 5, minTokens: 0, ignoreEos: false, stopTokenIds: new Set<number>() };
  const said = generate(model, prompt, { ...rules, stop: [], includeStop: false }, () => '');
  expect(said.ids).toEqual([1014, EOS]);
});
