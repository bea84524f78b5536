import { VOCABULARY } from '../oracle/tokenizer.ts';
import { type Codebook, spokenBy } from './codebook.ts';
import { writeCode } from './codes.ts';
import type { Tensor } from './safetensors.ts';

/** Sizes of the model. Eight heads, of which seven are zero, so that tensor parallelism up to 8 can split it. */
export const SIZES = { hidden: 128, head: 128, heads: 8, intermediate: 512, rotaryBase: 10_000 } as const;

/** Attention score of one rotary frequency at the right lag; all 64 agree there and nowhere else. */
const SHARPNESS = 10;
/** How much louder than the last token's own embedding the copied code is. */
const GAIN = 8;

export interface WeightsOptions {
  lag: number;
  codebook: Codebook;
  /** Seed of the codes, 32 bits. */
  seed: number;
}

/**
 * The weights of the teleprompter in closed form, as `Qwen3ForCausalLM` names them. Component 0 of an embedding is 1, the
 * rest is the token's code; a code character's embedding holds the code of the token it stands for. Query and key read
 * component 0 only, so rotary embedding alone decides where the one active head looks: `lag - 1` tokens back. Value and
 * output pass the code found there on to the head, whose rows are the codes.
 */
export function weights({ lag, codebook, seed }: WeightsOptions): Tensor[] {
  const { hidden, head, heads, intermediate } = SIZES;
  const all = heads * head;
  const spoken = spokenBy(codebook);
  const layer = (name: string): string => `model.layers.0.${name}.weight`;
  // The norms double the square of a half-empty query or key, hence the half.
  const amplitude = Math.sqrt((SHARPNESS * Math.sqrt(head)) / 2);
  return [
    rows('lm_head.weight', (row, token) => {
      writeCode(row, seed, token);
      for (let index = 0; index < hidden; index++) row[index] = (row[index] ?? 0) / Math.sqrt(hidden);
    }),
    rows('model.embed_tokens.weight', (row, token) => {
      row[0] = 1;
      writeCode(row, seed, spoken.get(token) ?? token);
    }),
    vector(layer('input_layernorm'), 1),
    matrix(layer('mlp.down_proj'), [hidden, intermediate]),
    matrix(layer('mlp.gate_proj'), [intermediate, hidden]),
    matrix(layer('mlp.up_proj'), [intermediate, hidden]),
    vector(layer('post_attention_layernorm'), 1),
    vector(layer('self_attn.k_norm'), amplitude),
    matrix(layer('self_attn.k_proj'), [all, hidden], (row, column) =>
      column === 0 && row < head / 2 ? 1 : 0,
    ),
    matrix(layer('self_attn.o_proj'), [hidden, all], (row, column) => (row === column ? GAIN : 0)),
    vector(layer('self_attn.q_norm'), amplitude),
    matrix(layer('self_attn.q_proj'), [all, hidden], (row, column) => (column === 0 ? query(row, lag) : 0)),
    matrix(layer('self_attn.v_proj'), [all, hidden], (row, column) =>
      row === column && row > 0 && row < head ? 1 : 0,
    ),
    vector('model.norm.weight', 1),
  ];
}

/** Row `index` of the query: the key's unit vectors turned by `lag - 1` positions, so that they meet at that distance. */
function query(index: number, lag: number): number {
  const half = SIZES.head / 2;
  if (index >= SIZES.head) return 0;
  const angle = -(lag - 1) * SIZES.rotaryBase ** (-(index % half) / half);
  return index < half ? Math.cos(angle) : Math.sin(angle);
}

/** A row of 128 for every token of the vocabulary. */
function rows(name: string, write: (row: Float32Array, token: number) => void): Tensor {
  const { hidden } = SIZES;
  return {
    name,
    shape: [VOCABULARY, hidden],
    fill: (block, start) => {
      for (let at = 0; at < block.length; at += hidden) {
        write(block.subarray(at, at + hidden), (start + at) / hidden);
      }
    },
  };
}

function matrix(
  name: string,
  shape: [number, number],
  at: (row: number, column: number) => number = () => 0,
): Tensor {
  const [, columns] = shape;
  return {
    name,
    shape,
    fill: (block, start) => {
      for (let index = 0; index < block.length; index++) {
        const place = start + index;
        block[index] = at(Math.floor(place / columns), place % columns);
      }
    },
  };
}

const vector = (name: string, value: number): Tensor => ({
  name,
  shape: [SIZES.hidden],
  fill: (block) => block.fill(value),
});
