import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Dtype, encodeFloats, FORMATS } from './floats.ts';

/** A weight whose numbers are made when they are written. */
export interface Tensor {
  name: string;
  shape: readonly number[];
  /** Fills a block, which arrives zeroed, with the numbers from `start` on, row by row; `start` is a multiple of 128. */
  fill: (block: Float32Array, start: number) => void;
}

/** Numbers that are made at a time: 1 MiB in float32. A multiple of every row length of the model. */
const BLOCK = 2 ** 18;

const NAMES: Record<Dtype, string> = { bf16: 'BF16', f16: 'F16', f32: 'F32' };

const countOf = ({ shape }: Tensor): number => shape.reduce((product, size) => product * size, 1);

/** The head of a safetensors file: length of the JSON as 8 bytes, JSON, blanks up to a multiple of 8 bytes. */
export function safetensorsHeader(tensors: readonly Tensor[], dtype: Dtype): Buffer {
  let end = 0;
  // transformers refuses a file that does not say which framework's layout it has.
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const tensor of tensors) {
    const start = end;
    end += countOf(tensor) * FORMATS[dtype].size;
    header[tensor.name] = { dtype: NAMES[dtype], shape: tensor.shape, data_offsets: [start, end] };
  }
  const json = JSON.stringify(header);
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text]);
}

/** Writes a safetensors file block by block. Returns its size in bytes and its sha256. */
export async function writeSafetensors(
  path: string,
  tensors: readonly Tensor[],
  dtype: Dtype,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx');
  try {
    for (const part of parts(tensors, dtype)) {
      hash.update(part);
      await writeAll(file, part);
      bytes += part.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

function* parts(tensors: readonly Tensor[], dtype: Dtype): Generator<Uint8Array> {
  yield safetensorsHeader(tensors, dtype);
  for (const tensor of tensors) {
    const count = countOf(tensor);
    for (let start = 0; start < count; start += BLOCK) {
      const block = new Float32Array(Math.min(BLOCK, count - start));
      tensor.fill(block, start);
      yield encodeFloats(block, dtype);
    }
  }
}

async function writeAll(file: FileHandle, part: Uint8Array): Promise<void> {
  for (let at = 0; at < part.length; ) at += (await file.write(part, at)).bytesWritten;
}
