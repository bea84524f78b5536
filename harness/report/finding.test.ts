import { expect, test } from 'vitest';
import { compareIds, compareTexts } from '../compare/difference.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { Finding } from '../schemas/types.ts';
import { findingBlock } from './finding.ts';

const tokenizer = loadTokenizer();
const decode = (ids: number[]): string => tokenizer.decode(ids);

function finding(part: Partial<Finding>): Finding {
  return {
    lane: 'vllm',
    scenario: 'tools/weather',
    turn: 2,
    field: 'content',
    index: null,
    expected: null,
    actual: null,
    reference: 'unknown',
    verdict: 'UNKNOWN',
    summary: 'differs',
    location: 'scenarios/tools/weather.yaml:20:5',
    ...part,
  };
}

test('an id too many is shown once and the rest stays aligned', () => {
  const expected = tokenizer.encode('It is 10 degrees in Zürich.');
  const actual = [...expected.slice(0, 3), 220, ...expected.slice(3)];
  const difference = compareIds(expected, actual);
  const block = findingBlock(
    finding({ ...difference, field: 'generation_token_ids', reference: 'expected' }),
    decode,
    'last',
  );
  expect(block.join('\n')).toMatchInlineSnapshot(`
    "FAIL tools/weather  turn 2  generation_token_ids   vllm vs golden
      UNKNOWN  not verified which side deviates: first different id at index 3: 16 expected, 220 came;
            11 ids expected, 12 came
      scenarios/tools/weather.yaml:20:5
         index  expected                            actual
      =      0    2132 'It'                           2132 'It'
      =      1     374 ' is'                           374 ' is'
      =      2     220 ' '                             220 ' '
      >                                                220 ' '
      =      3      16 '1'                              16 '1'
      =      4      15 '0'                              15 '0'
      =      5   12348 ' degrees'                    12348 ' degrees'
      =      6     304 ' in'                           304 ' in'
      =      7    1863 ' Z'                           1863 ' Z'
      ~      8    5186 'ür'
      scripted reply agrees with: the golden
      next: parity explain last tools/weather:2 --field generation_token_ids"
  `);
});

test('hostile text reaches the terminal spelled, not sent', () => {
  const difference = compareTexts('calm', 'ca\u001b[31mlm\u202e\u0007::error::x\n');
  const block = findingBlock(finding({ ...difference }), decode, 'last').join('\n');
  expect(block).not.toMatch(/[\u001b\u0007\u202e]/);
  expect(block).toMatchInlineSnapshot(`
    "FAIL tools/weather  turn 2  content   vllm vs golden
      UNKNOWN  not verified which side deviates: first difference at character 2: "lm" expected,
            "\\u001b[31mlm\\u202e\\u0007::e" came
      scenarios/tools/weather.yaml:20:5
      expected  "calm"
      actual    "ca\\u001b[31mlm\\u202e\\u0007::error::x\\n"
      next: parity explain last tools/weather:2 --field content"
  `);
});

test('absent, null and empty are told apart', () => {
  const rows = [compareTexts(null, undefined), compareTexts('', null), compareTexts(undefined, 'x')];
  expect(rows.map((row) => row?.summary)).toMatchInlineSnapshot(`
    [
      "null expected, no such key came",
      """ expected, null came",
      "no such key expected, text of 1 characters came",
    ]
  `);
});
