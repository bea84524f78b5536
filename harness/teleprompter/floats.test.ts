import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bfloat16Bits, encodeFloats, float16Bits } from './floats.ts';

/** The number a float16 stands for, by the definition of the format. */
function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const places = bits & 0x3ff;
  if (exponent === 0x1f) return places === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * places * 2 ** -24 : sign * (1024 + places) * 2 ** (exponent - 25);
}

function bfloat16(bits: number): number {
  return new Float32Array(Uint32Array.of(bits << 16).buffer)[0] ?? Number.NaN;
}

const FORMATS = [
  { name: 'bfloat16', round: bfloat16Bits, read: bfloat16, infinite: 0x7f80 },
  { name: 'float16', round: float16Bits, read: float16, infinite: 0x7c00 },
];

test.each(FORMATS)('every $name keeps its bits', ({ round, read }) => {
  const wrong = [];
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = read(bits);
    if (!Number.isNaN(value) && round(value) !== bits) wrong.push(bits);
  }
  expect(wrong).toEqual([]);
});

test.each(FORMATS)(
  'halfway between two $name the even one wins, a little off it the nearer one',
  ({ round, read, infinite }) => {
    const wrong = [];
    // Up to the largest finite number; sums, halves and little steps are exact in float32.
    for (let low = 0; low < infinite - 1; low++) {
      const [a, b] = [read(low), read(low + 1)];
      const middle = (a + b) / 2;
      const even = low % 2 === 0 ? low : low + 1;
      const little = (b - a) / 8;
      for (const [value, bits] of [
        [middle, even],
        [middle - little, low],
        [middle + little, low + 1],
      ] as const) {
        if (round(value) !== bits || round(-value) !== (bits | 0x8000)) wrong.push([value, bits]);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test.each(FORMATS)('no $name is nearer to a number than the one it is rounded to', ({ round, read }) => {
  fc.assert(
    fc.property(fc.float({ min: -60_000, max: 60_000, noNaN: true }), (value) => {
      const bits = round(value);
      const off = Math.abs(read(bits) - value);
      for (const other of [bits - 1, bits + 1]) {
        if (Math.sign(read(other)) === Math.sign(value))
          expect(Math.abs(read(other) - value)).toBeGreaterThanOrEqual(off);
      }
    }),
  );
});

test('numbers too large become infinite, and what is none stays none', () => {
  expect([65_519.99, 65_520, -1e9, Infinity].map(float16Bits)).toEqual([0x7bff, 0x7c00, 0xfc00, 0x7c00]);
  expect([3.39e38, 3.4e38, -Infinity].map(bfloat16Bits)).toEqual([0x7f7f, 0x7f80, 0xff80]);
  expect(float16(float16Bits(Number.NaN))).toBeNaN();
  expect(bfloat16(bfloat16Bits(Number.NaN))).toBeNaN();
});

test('bytes are little-endian, and a signed zero and a run of one number keep their places', () => {
  const values = Float32Array.of(0, -0, 1, 1, -2.5);
  expect(Buffer.from(encodeFloats(values, 'bf16')).toString('hex')).toBe('00000080803f803f20c0');
  expect(Buffer.from(encodeFloats(values, 'f16')).toString('hex')).toBe('00000080003c003c00c1');
  expect(Buffer.from(encodeFloats(values, 'f32')).toString('hex')).toBe(
    Buffer.from(values.buffer).toString('hex'),
  );
});
