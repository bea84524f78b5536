import { existsSync } from 'node:fs';
import { InvalidError } from '../errors.ts';
import { type ChatTokenizer, loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { writeOut } from '../report/write.ts';
import { LAGS, type Lag, writeCheckpoint } from '../teleprompter/checkpoint.ts';
import { type Codebook, CodebookError, loadCodebook } from '../teleprompter/codebook.ts';
import { type Dtype, FORMATS } from '../teleprompter/floats.ts';

export interface ModelOptions {
  /** Folder to write. */
  out: string;
  lag: number;
  dtype: string;
  /** @default the project's goldens/codebook.json */
  codebook?: string;
}

/** `parity model`: writes the teleprompter as a checkpoint and says what it wrote. */
export async function modelCommand({ out, lag, dtype, codebook: file }: ModelOptions): Promise<void> {
  if (!isLag(lag)) throw new InvalidError(`--lag: expected ${LAGS.join(' or ')}, received ${lag}`);
  if (!isDtype(dtype)) {
    throw new InvalidError(`--dtype: expected ${Object.keys(FORMATS).join(', ')}, received '${dtype}'`);
  }
  const tokenizer = loadTokenizer();
  const codebook = readCodebook(file ?? projectAt().codebook, tokenizer);
  const { bytes, entries, sha256 } = await writeCheckpoint({ dir: out, codebook, lag, dtype, tokenizer });
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  writeOut(
    `wrote ${out}: teleprompter-${lag}, ${dtype}, ${size}, ${entries} codebook entries, sha256 ${sha256}`,
  );
}

function readCodebook(file: string, tokenizer: ChatTokenizer): Codebook {
  if (!existsSync(file)) {
    throw new InvalidError('no codebook', {
      where: file,
      hint: '`parity init` makes one; --codebook names another',
    });
  }
  try {
    return loadCodebook(file, (text) => tokenizer.encode(text));
  } catch (error) {
    if (error instanceof CodebookError) throw new InvalidError(error.message, { cause: error });
    throw error;
  }
}

const isLag = (lag: number): lag is Lag => LAGS.some((known) => known === lag);
const isDtype = (dtype: string): dtype is Dtype => Object.hasOwn(FORMATS, dtype);
