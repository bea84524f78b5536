import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidError } from '../errors.ts';
import { type ChatTokenizer, tokenizerFile, VOCABULARY } from '../oracle/tokenizer.ts';
import type { Codebook } from './codebook.ts';
import { generationConfig, modelConfig } from './config.ts';
import type { Dtype } from './floats.ts';
import { replaceFolder } from './folder.ts';
import { writeSafetensors } from './safetensors.ts';
import { weights } from './weights.ts';

/** Lags a checkpoint can have; the lag is part of the model's name. */
export const LAGS = [256, 4096] as const;
export type Lag = (typeof LAGS)[number];

/** Chooses the codes. Another seed is another model of the same behaviour. */
const SEED = 7;

/** Says that a folder is ours, and what is in it. */
export const MARKER = 'teleprompter.json';
const MODEL = 'model.safetensors';
const COPIED = ['tokenizer.json', 'tokenizer_config.json'] as const;
const FILES = [MARKER, MODEL, 'config.json', 'generation_config.json', ...COPIED];

export interface CheckpointOptions {
  /** Folder to write; made with its parents. */
  dir: string;
  codebook: Codebook;
  lag: Lag;
  dtype: Dtype;
  tokenizer: ChatTokenizer;
  /** @default 7 */
  seed?: number;
}

/** What was written; sizes in bytes, hashes of model.safetensors. */
export interface CheckpointSummary {
  dir: string;
  lag: Lag;
  dtype: Dtype;
  seed: number;
  entries: number;
  bytes: number;
  sha256: string;
}

/**
 * Writes the teleprompter as a Hugging Face checkpoint. Its bytes are a pure function of lag, codebook, dtype and seed. The
 * folder appears whole or not at all; an older checkpoint of ours in its place is replaced. Throws {@link InvalidError} for
 * a folder that holds anything else, and for a codebook that is not this tokenizer's.
 */
export async function writeCheckpoint(options: CheckpointOptions): Promise<CheckpointSummary> {
  const { dir, codebook, lag, dtype, tokenizer, seed = SEED } = options;
  checkCodebook(codebook, tokenizer);
  return replaceFolder({ dir, marker: MARKER, files: FILES }, async (folder) => {
    const tensors = weights({ lag, codebook, seed });
    const { bytes, sha256 } = await writeSafetensors(join(folder, MODEL), tensors, dtype);
    const entries = codebook.entries.length;
    const json = (name: string, value: object): Promise<void> =>
      writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
    await json('config.json', modelConfig(dtype));
    await json('generation_config.json', generationConfig());
    for (const name of COPIED) await copyFile(tokenizerFile(name), join(folder, name));
    await json(MARKER, { lag, dtype, seed, entries, model_sha256: sha256, tokenizer_sha256: tokenizer.hash });
    return { dir, lag, dtype, seed, entries, bytes, sha256 };
  });
}

function checkCodebook({ entries }: Codebook, tokenizer: ChatTokenizer): void {
  for (const { spoken, char, code } of entries) {
    const known = [spoken, code].every((id) => id >= 0 && id < VOCABULARY);
    // Recorded codebooks may have no characters, only ids.
    const ids = char === '' ? [code] : tokenizer.encode(char);
    if (!known || ids.length !== 1 || ids[0] !== code) {
      throw new InvalidError(
        `codebook entry ${JSON.stringify([spoken, char, code])} is not of this tokenizer`,
        {
          hint: 'an entry is [token id, character], and the character must be one token',
        },
      );
    }
  }
}
