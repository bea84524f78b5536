import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareIds, compareTexts, firstDifference } from './difference.ts';

const ids = fc.array(fc.nat(5), { maxLength: 20 });

test('the first difference is where a scan by hand finds it', () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const at = firstDifference(a, b);
      expect(a.slice(0, at)).toEqual(b.slice(0, at));
      if (at !== undefined) expect(a[at]).not.toBe(b[at]);
    }),
  );
});

test('equal values are no difference and changed ones always are', () => {
  fc.assert(
    fc.property(ids, fc.nat(19), (list, at) => {
      expect(compareIds(list, [...list])).toBeUndefined();
      if (at < list.length) expect(compareIds(list, list.with(at, 9))?.index).toBe(at);
      expect(compareIds(list, [...list, 1])?.index).toBe(list.length);
    }),
  );
});

test('texts that look alike differ: NFC and NFD, blank kinds, a lone surrogate', () => {
  const pairs = [
    ['é', 'e\u0301'],
    [' ', '\u00a0'],
    ['\ud83d', '\ufffd'],
    ['a', 'a\u200b'],
  ] as const;
  for (const [a, b] of pairs) expect(compareTexts(a, b)).toBeDefined();
});
