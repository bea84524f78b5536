import { expect, test } from 'vitest';
import type { Difference, Golden, Waiver } from '../schemas/types.ts';
import { goldenOf, healthyTranscript } from '../testing/transcripts.ts';
import { auditProjections, DifferenceList, summariseDifferences, translate } from './differences.ts';
import { pin, WaiverList } from './waivers.ts';

const ENTRY: Difference = {
  between: ['nemo-rl-vllm', 'nemo-rl-trtllm'],
  field: 'content',
  values: { 'nemo-rl-vllm': null, 'nemo-rl-trtllm': '' },
  cause: 'empty-content',
  reason: 'one server sends null, the other an empty string',
  at: ['tools/two-turns:1'],
};

/** A golden whose second projection spells the first turn's null content as "". */
function twoProjections(): Golden {
  const golden = goldenOf(healthyTranscript());
  const [first, ...rest] = golden.projections['nemo-rl-vllm']?.turns ?? [];
  if (first) golden.projections['nemo-rl-trtllm'] = { turns: [{ ...first, content: '' }, ...rest] };
  return golden;
}

const found = (entries: Difference[]) => {
  const { used, unlisted, stale } = auditProjections(twoProjections(), new DifferenceList(entries));
  return {
    used: used.length,
    unlisted: unlisted.map(({ field, place }) => `${place.turn} ${field}`),
    stale: stale.length,
  };
};

test('a listed difference is used, an unlisted one is red', () => {
  expect(found([ENTRY])).toEqual({ used: 1, unlisted: [], stale: 0 });
  expect(found([])).toEqual({ used: 0, unlisted: ['1 content'], stale: 0 });
});

test('an entry cannot hide another value, another field or another turn', () => {
  const drifted = { ...ENTRY, values: { ...ENTRY.values, 'nemo-rl-trtllm': ' ' } };
  expect(found([drifted])).toEqual({ used: 0, unlisted: ['1 content'], stale: 1 });
  expect(found([{ ...ENTRY, field: 'reasoning' }])).toEqual({ used: 0, unlisted: ['1 content'], stale: 1 });
  expect(found([{ ...ENTRY, at: ['tools/two-turns:2'] }])).toEqual({
    used: 0,
    unlisted: ['1 content'],
    stale: 1,
  });
  const absent = { ...ENTRY, values: { 'nemo-rl-trtllm': '' } };
  expect(found([absent])).toEqual({ used: 0, unlisted: ['1 content'], stale: 1 });
});

test('a difference that no longer occurs is stale', () => {
  expect(found([ENTRY, { ...ENTRY, at: ['tools/two-turns:2'] }])).toEqual({
    used: 1,
    unlisted: [],
    stale: 1,
  });
});

test('a message is translated by what is listed and by nothing else', () => {
  const list = new DifferenceList([ENTRY]);
  const place = { scenario: 'tools/two-turns', turn: 1, history: 'spliced' } as const;
  const from = {
    dialect: 'nemo-rl-vllm',
    message: { content: null, reasoning: null, finish_reason: 'stop' },
  } as const;
  expect(translate(place, from, 'nemo-rl-trtllm', list).message).toEqual({
    content: '',
    reasoning: null,
    finish_reason: 'stop',
  });
  expect(translate({ ...place, turn: 2 }, from, 'nemo-rl-trtllm', list).message).toEqual(from.message);
  expect(translate(place, from, 'vllm-serve', list).message).toEqual(from.message);
});

test('differences are summed up by cause and field', () => {
  const list = new DifferenceList([{ ...ENTRY, at: ['a:1', 'b:2'] }]);
  expect(summariseDifferences(list.places)).toMatchObject([
    { cause: 'empty-content', count: 2, at: ['a:1', 'b:2'] },
  ]);
});

const WAIVER: Waiver = {
  lane: 'trtllm',
  scenario: 'tools/weather',
  turn: 2,
  field: 'content',
  expected: 'It is 10 degrees.',
  actual: 'It is 10 degrees',
  owner: 'ada',
  reason: 'the last full stop is lost',
  link: 'https://example.org/1',
  expires: '2026-12-31',
};
const place = {
  lane: 'trtllm',
  scenario: 'tools/weather',
  turn: 2,
  field: 'content',
  history: 'spliced',
} as const;
const pins = { expected: WAIVER.expected, actual: WAIVER.actual };
const waive = (today: string, change: Partial<typeof pins> = {}, waiver: Waiver = WAIVER) =>
  new WaiverList([waiver], today).judge(place, { ...pins, ...change });

test('a waiver holds until its last day, for its place and for its two values only', () => {
  expect(waive('2026-12-31')).toMatchObject({ status: 'waived' });
  expect(waive('2027-01-01')).toMatchObject({ status: 'void', why: 'its waiver expired on 2026-12-31' });
  expect(waive('2026-12-01', { actual: 'It is 11' })).toMatchObject({
    status: 'void',
    why: 'its waiver pins another deviating value',
  });
  expect(waive('2026-12-01', { expected: 'It is 11' })).toMatchObject({
    status: 'void',
    why: 'its waiver pins another expected value',
  });
  expect(waive('2026-12-01', {}, { ...WAIVER, turn: 3 })).toBeUndefined();
});

test('ids are pinned by their hash', () => {
  expect(pin([1, 2])).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(pin([1, 2])).not.toBe(pin([1, 3]));
  expect(pin('text')).toBe('text');
});

test('a waiver that nothing used is reported once its scenario was played', () => {
  const list = new WaiverList([WAIVER], '2026-12-01');
  expect(list.unused(new Set(), () => true)).toEqual([WAIVER]);
  expect(list.unused(new Set(), () => false)).toEqual([]);
  expect(list.unused(new Set([WAIVER]), () => true)).toEqual([]);
});
