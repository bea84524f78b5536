import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './parse.ts';
import { dumpsPython, printJson, pythonFloat } from './print.ts';
import { toJs } from './value.ts';

test('number spelling and key order survive a round trip', () => {
  const text = '{"2":1.0,"1":1e-7,"big":9007199254740993,"__proto__":[-0,1E+2]}';
  expect(printJson(parseJson(text))).toBe(text);
});

test('prints what Python prints', () => {
  // Right-hand sides are from CPython 3.11: json.dumps(json.loads(text), ensure_ascii=False).
  const rows = [
    ['[1.0, 1e-7, 9007199254740993, 1e3, -0, -0.0]', '[1.0, 1e-07, 9007199254740993, 1000.0, 0, -0.0]'],
    [
      '[1e16, 123456789012345678.0, 1e15, 0.0001, 0.00001]',
      '[1e+16, 1.2345678901234568e+17, 1000000000000000.0, 0.0001, 1e-05]',
    ],
    ['{"a":1,"b":2,"a":3}', '{"a": 3, "b": 2}'],
    ['"\\u00e9\\/\\u2028\\ud83d\\ude00"', '"é/\u2028😀"'],
    ['[NaN, -Infinity, 1e999]', '[NaN, -Infinity, Infinity]'],
    ['[5e-324, 1.7976931348623157e308, 0.1]', '[5e-324, 1.7976931348623157e+308, 0.1]'],
  ] as const;
  for (const [text, python] of rows) expect(dumpsPython(parseJson(text))).toBe(python);
});

test('says where a text stops being JSON', () => {
  const rows = ['{"a":1,}', '[1 2]', '"a\nb"', '"\\x"', '01', '{"a"', '', '[1]x', '"\\ud8"'];
  expect(
    rows.map((row) => {
      try {
        parseJson(row);
        return 'accepted';
      } catch (error) {
        return (error as Error).message;
      }
    }),
  ).toMatchInlineSnapshot(`
    [
      "expected a key in double quotes at offset 7",
      "expected ',' or ']' at offset 3",
      "control character in a string at offset 2",
      "bad escape at offset 1",
      "unexpected text after the value at offset 1",
      "expected ':' at offset 4",
      "expected a value at offset 0",
      "unexpected text after the value at offset 3",
      "bad \\u escape at offset 1",
    ]
  `);
});

test('agrees with JSON.parse on every value it can hold', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(toJs(parseJson(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('a float reads back as the same double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Object.is(Number(pythonFloat(value)), value)).toBe(true);
    }),
  );
});

test('refuses a bomb of brackets instead of overflowing the stack', () => {
  expect(() => parseJson('['.repeat(100_000))).toThrow('nested deeper than 500 at offset 501');
});
