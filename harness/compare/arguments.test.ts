import { expect, test } from 'vitest';
import type { TranscriptTurn } from '../schemas/types.ts';
import { healthyTranscript } from '../testing/transcripts.ts';
import { checkArguments } from './arguments.ts';

function said(...texts: string[]): string | undefined {
  const [turn] = healthyTranscript().turns;
  if (!turn) throw new Error('a transcript has a turn');
  const calls = texts.map((text) => ({ id: 'call_1', type: 'function', name: 'set', arguments: text }));
  const changed: TranscriptTurn = { ...turn, tool_calls: calls };
  return checkArguments(changed)?.summary;
}

test('arguments that every JSON reader takes are no finding, and neither is a turn without calls', () => {
  expect(said()).toBeUndefined();
  const good = ['{}', 'null', '[1, 2]', '{"x": "NaN, \\"Infinity"}', '{"n": 1e400, "k": 9007199254740993}'];
  expect(said(...good)).toBeUndefined();
});

test('what JSON has no spelling for is named with its call and its place', () => {
  expect(said('{}', '{"x": NaN}')).toBe('arguments of call 2 (set) are no JSON: NaN at character 6');
  expect(said('{"NaN": [1, -Infinity]}')).toBe(
    'arguments of call 1 (set) are no JSON: -Infinity at character 12',
  );
  expect(said('{"x": ')).toBe('arguments of call 1 (set) are no JSON');
  expect(said('')).toBe('arguments of call 1 (set) are no JSON');
  expect(said('{NaNx')).toBe('arguments of call 1 (set) are no JSON');
});

test('a long value is shown around the place', () => {
  const [turn] = healthyTranscript().turns;
  if (!turn) throw new Error('a transcript has a turn');
  const text = `{"pad": "${'a'.repeat(500)}", "x": NaN}`;
  const found = checkArguments({ ...turn, tool_calls: [{ name: 'set', arguments: text }] });
  expect(found).toMatchObject({ index: 517, expected: 'JSON', actual: { length: 521, from: 477 } });
});
