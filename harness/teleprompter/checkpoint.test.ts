import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadTokenizer, VOCABULARY } from '../oracle/tokenizer.ts';
import { parity } from '../testing/cli.ts';
import { printCodebook } from './append.ts';
import { LAGS, writeCheckpoint } from './checkpoint.ts';
import type { Codebook } from './codebook.ts';
import { bfloat16Bits, type Dtype } from './floats.ts';
import { safetensorsHeader, type Tensor, writeSafetensors } from './safetensors.ts';
import { weights } from './weights.ts';

const tokenizer = loadTokenizer();
const entry = (spoken: number, char: string) => ({ spoken, char, code: tokenizer.encode(char)[0] ?? 0 });
const book: Codebook = { filler: '喹', entries: [entry(151645, '鿎'), entry(13, '龋')] };
const longer: Codebook = { filler: '喹', entries: [...book.entries, entry(9707, '龊')] };

let folder: string;
let dir: string;
let printed: string;

// One checkpoint, written by the real command, serves all tests: it is 79 MB.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parity-checkpoint-'));
  dir = join(folder, 'made', 'teleprompter-256');
  writeFileSync(join(folder, 'codebook.json'), printCodebook(book));
  const args = ['model', '--out', 'made/teleprompter-256', '--codebook', 'codebook.json'];
  printed = (await parity(args, { cwd: folder })).stdout;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the same lag, codebook, dtype and seed give the same bytes', () => {
  const names = readdirSync(dir).sort();
  const hashes = Object.fromEntries(
    names.map((name) => [name, sha256(readFileSync(join(dir, name))).slice(0, 16)]),
  );
  expect(hashes).toMatchInlineSnapshot(`
    {
      "config.json": "3c860b59db6b4a59",
      "generation_config.json": "91e946142c1bd9e3",
      "model.safetensors": "5fc34db955970aae",
      "teleprompter.json": "606b07dabe4e0b4f",
      "tokenizer.json": "aeb13307a71acd8f",
      "tokenizer_config.json": "5a7303fcb1a27ede",
    }
  `);
  expect(readdirSync(join(folder, 'made'))).toEqual(['teleprompter-256']);
});

test('one line says what was written', () => {
  expect(printed).toMatchInlineSnapshot(
    `"wrote made/teleprompter-256: teleprompter-256, bf16, 79.2 MB, 2 codebook entries, sha256 5fc34db955970aae9248a9d3badfc9af67667980c63dd034f6476b98c116e18f"`,
  );
  const model = readFileSync(join(dir, 'model.safetensors'));
  expect(printed).toContain(sha256(model));
  expect(printed).toContain(`${(model.length / 1e6).toFixed(1)} MB`);
});

test('the header names every weight of the model, and the bytes follow without a gap', () => {
  const { header, size } = headerOf(join(dir, 'model.safetensors'));
  const { __metadata__: metadata, ...tensors } = header;
  expect(metadata).toEqual({ format: 'pt' });
  expect(
    Object.entries(tensors).map(([name, { dtype, shape }]) => `${name} ${dtype} ${shape.join('x')}`),
  ).toMatchInlineSnapshot(`
    [
      "lm_head.weight BF16 151936x128",
      "model.embed_tokens.weight BF16 151936x128",
      "model.layers.0.input_layernorm.weight BF16 128",
      "model.layers.0.mlp.down_proj.weight BF16 128x512",
      "model.layers.0.mlp.gate_proj.weight BF16 512x128",
      "model.layers.0.mlp.up_proj.weight BF16 512x128",
      "model.layers.0.post_attention_layernorm.weight BF16 128",
      "model.layers.0.self_attn.k_norm.weight BF16 128",
      "model.layers.0.self_attn.k_proj.weight BF16 1024x128",
      "model.layers.0.self_attn.o_proj.weight BF16 128x1024",
      "model.layers.0.self_attn.q_norm.weight BF16 128",
      "model.layers.0.self_attn.q_proj.weight BF16 1024x128",
      "model.layers.0.self_attn.v_proj.weight BF16 1024x128",
      "model.norm.weight BF16 128",
    ]
  `);
  let end = 0;
  for (const {
    shape,
    data_offsets: [from, to],
  } of Object.values(tensors)) {
    expect(from).toBe(end);
    end = to;
    expect(to - from).toBe(2 * shape.reduce((product, n) => product * n, 1));
  }
  expect(size % 8).toBe(0);
  expect(8 + size + end).toBe(statSync(join(dir, 'model.safetensors')).size);
});

test('a code character is embedded as the token it stands for, and every token is said by its own code', () => {
  const file = join(dir, 'model.safetensors');
  expect(row(file, 'model.embed_tokens.weight', tokenizer.encode('龋')[0])).toEqual(
    row(file, 'model.embed_tokens.weight', 13),
  );
  expect(row(file, 'model.embed_tokens.weight', 13).slice(0, 1)).toEqual([bfloat16Bits(1)]);
  const [constant, ...code] = row(file, 'lm_head.weight', 13);
  const [, ...embedded] = row(file, 'model.embed_tokens.weight', 13);
  expect(constant).toBe(0);
  expect(code.map((bits) => bits >> 15)).toEqual(embedded.map((bits) => bits >> 15));
});

test('an appended entry changes one row of the embedding and nothing else', () => {
  const [old, grown] = [book, longer].map((codebook) => weights({ lag: 256, codebook, seed: 7 }));
  const changed: string[] = [];
  for (const [index, tensor] of (old ?? []).entries()) {
    const columns = tensor.shape.at(-1) ?? 1;
    const [before, after] = [numbersOf(tensor), numbersOf(grown?.[index])];
    for (let at = 0; at < before.length; at += columns) {
      if (!same(before.subarray(at, at + columns), after.subarray(at, at + columns)))
        changed.push(`${tensor.name} ${at / columns}`);
    }
  }
  expect(changed).toEqual([`model.embed_tokens.weight ${tokenizer.encode('龊')[0]}`]);
});

test('codes are different for every token and for every seed', () => {
  const seen = new Set<string>();
  for (const seed of [7, 8]) {
    const rows = numbersOf(
      weights({ lag: 256, codebook: book, seed }).find(({ name }) => name === 'lm_head.weight'),
    );
    for (let token = 0; token < VOCABULARY; token++) {
      seen.add(Buffer.from(rows.buffer, token * 512, 512).toString('latin1'));
    }
  }
  expect(seen.size).toBe(2 * VOCABULARY);
});

test.each(LAGS)('the attention of lag %i peaks there and is far lower at every other distance', (lag) => {
  const of = new Map(weights({ lag, codebook: book, seed: 7 }).map((tensor) => [tensor.name, tensor]));
  const first = (name: string): number[] => {
    const numbers = numbersOf(of.get(`model.layers.0.self_attn.${name}.weight`));
    return name.endsWith('norm')
      ? [...numbers]
      : Array.from({ length: 128 }, (_, index) => numbers[index * 128] ?? 0);
  };
  const query = normed(first('q_proj'), first('q_norm'));
  const key = normed(first('k_proj'), first('k_norm'));
  const scores = Array.from(
    { length: 2 * lag },
    (_, distance) => dot(query, turned(key, distance)) / Math.sqrt(128),
  );
  const best = scores.indexOf(Math.max(...scores));
  expect(best).toBe(lag - 1);
  const others = scores.filter((_, distance) => distance !== best);
  expect((scores[best] ?? 0) - Math.max(...others)).toBeGreaterThan(15);
});

test.each([
  ['bf16', 'BF16', 2],
  ['f16', 'F16', 2],
  ['f32', 'F32', 4],
] as const)('%s is written as %s, %i bytes a number', async (dtype, name, size) => {
  const tensors: Tensor[] = [
    { name: 'a', shape: [2, 128], fill: (block, start) => block.fill(start + 1) },
    { name: 'b', shape: [128], fill: (block) => block.fill(-1) },
  ];
  const file = join(folder, `${dtype}.safetensors`);
  const { bytes, sha256: hash } = await writeSafetensors(file, tensors, dtype satisfies Dtype);
  const { header, size: length } = headerOf(file);
  expect(header.a).toEqual({ dtype: name, shape: [2, 128], data_offsets: [0, 256 * size] });
  expect(bytes).toBe(8 + length + 384 * size);
  expect(bytes).toBe(readFileSync(file).length);
  expect(hash).toBe(sha256(readFileSync(file)));
  const whole = safetensorsHeader(weights({ lag: 256, codebook: book, seed: 7 }), dtype);
  expect(JSON.parse(whole.subarray(8).toString())['lm_head.weight'].data_offsets).toEqual([
    0,
    VOCABULARY * 128 * size,
  ]);
});

test('a codebook of another tokenizer is refused before anything is written', async () => {
  const target = join(folder, 'refused');
  for (const wrong of [
    { spoken: 13, char: '龋', code: 5 },
    { spoken: VOCABULARY, char: '', code: 5 },
    { spoken: 13, char: 'two words', code: 5 },
  ]) {
    const codebook = { filler: '喹', entries: [wrong] };
    await expect(
      writeCheckpoint({ dir: target, codebook, lag: 256, dtype: 'bf16', tokenizer }),
    ).rejects.toThrow('is not of this tokenizer');
  }
  expect(readdirSync(folder)).not.toContain('refused');
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Header {
  [name: string]: { dtype: string; shape: number[]; data_offsets: [number, number] };
}

function headerOf(file: string): { header: Header; size: number } {
  const size = Number(bytesAt(file, 0, 8).readBigUInt64LE());
  return { header: JSON.parse(bytesAt(file, 8, size).toString()) as Header, size }; // asserted on above
}

function row(file: string, name: string, token = 0): number[] {
  const { header, size } = headerOf(file);
  const start = 8 + size + (header[name]?.data_offsets[0] ?? 0) + token * 256;
  return [...new Uint16Array(new Uint8Array(bytesAt(file, start, 256)).buffer)];
}

function bytesAt(file: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const handle = openSync(file, 'r');
  readSync(handle, bytes, { position });
  closeSync(handle);
  return bytes;
}

function numbersOf(tensor: Tensor | undefined): Float32Array {
  if (!tensor) throw new Error('no such weight');
  const all = new Float32Array(tensor.shape.reduce((product, n) => product * n, 1));
  tensor.fill(all, 0);
  return all;
}

const same = (a: Float32Array, b: Float32Array): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Qwen3's norm of a query or key. */
function normed(vector: readonly number[], scale: readonly number[]): number[] {
  const root = Math.sqrt(dot(vector, vector) / vector.length + 1e-6);
  return vector.map((value, index) => (value / root) * (scale[index] ?? 0));
}

/** Rotary embedding of a vector `distance` positions before position 0. */
function turned(vector: readonly number[], distance: number): number[] {
  return vector.map((value, index) => {
    const angle = -distance * 10_000 ** (-(index % 64) / 64);
    const partner = index < 64 ? -(vector[index + 64] ?? 0) : (vector[index - 64] ?? 0);
    return value * Math.cos(angle) + partner * Math.sin(angle);
  });
}
