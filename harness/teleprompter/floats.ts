/** How numbers are stored in a checkpoint. */
export type Dtype = 'bf16' | 'f16' | 'f32';

interface Format {
  /** PyTorch's name, as config.json spells it. */
  torch: string;
  /** Bytes of a number. */
  size: 2 | 4;
  /** The stored bits of a number. */
  bits: (value: number) => number;
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

function float32Bits(value: number): number {
  float[0] = value;
  return word[0] ?? 0;
}

/** Rounds to the nearest bfloat16, ties to even. */
export function bfloat16Bits(value: number): number {
  const bits = float32Bits(value);
  if (Number.isNaN(value)) return 0x7fc0;
  // Half of the last kept place, less one where that place is even.
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

/** Rounds the nearest float32 to the nearest float16, ties to even; 65,520 and more become infinite. */
export function float16Bits(value: number): number {
  const bits = float32Bits(value);
  if (Number.isNaN(value)) return 0x7e00;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = Math.max(((bits >>> 23) & 0xff) - 127, -14);
  if (exponent > 15) return sign | 0x7c00;
  const places = roundHalfEven(Math.abs(Math.fround(value)) / 2 ** (exponent - 10));
  // A carry out of the ten places moves into the exponent, as it should; below 2^-14 both are 0.
  return sign | (((exponent + 14) << 10) + places);
}

function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

export const FORMATS: Record<Dtype, Format> = {
  bf16: { torch: 'bfloat16', size: 2, bits: bfloat16Bits },
  f16: { torch: 'float16', size: 2, bits: float16Bits },
  f32: { torch: 'float32', size: 4, bits: float32Bits },
};

/** The numbers as little-endian bytes, whatever this machine's byte order is. */
export function encodeFloats(values: Float32Array, dtype: Dtype): Uint8Array {
  const { size, bits } = FORMATS[dtype];
  const out = new DataView(new ArrayBuffer(values.length * size));
  // A weight matrix holds few different numbers, most of them in runs.
  let last = Number.NaN;
  let lastBits = bits(last);
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    if (!Object.is(value, last)) {
      last = value;
      lastBits = bits(value);
    }
    if (size === 2) out.setUint16(2 * index, lastBits, true);
    else out.setUint32(4 * index, lastBits, true);
  }
  return new Uint8Array(out.buffer);
}
