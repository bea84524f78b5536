import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidError } from '../errors.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { Project } from '../project.ts';
import { MARKER, writeCheckpoint } from '../teleprompter/checkpoint.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import type { Dtype } from '../teleprompter/floats.ts';
import type { LoadedLane } from './load.ts';

const SCRIPTED = '{teleprompter}';
const DTYPES = { bfloat16: 'bf16', float16: 'f16', float32: 'f32' } as const satisfies Record<string, Dtype>;

/**
 * Folder of the checkpoint that a lane's server loads; undefined when the lane names none. The scripted checkpoint is written
 * once per codebook, lag and number format, under the project's reports. Throws {@link InvalidError}.
 */
export async function modelFolder({ lane, file }: LoadedLane, project: Project): Promise<string | undefined> {
  const { path, teleprompter, dtype = 'bfloat16', name } = lane.model;
  if (path === undefined) return undefined;
  if (path !== SCRIPTED) {
    const folder = resolve(project.root, path);
    if (existsSync(folder)) return folder;
    throw new InvalidError(`there is no model folder ${path}`, {
      where: file,
      hint: 'the path is relative to the project; nothing is downloaded',
    });
  }
  if (!teleprompter) {
    throw new InvalidError(`${SCRIPTED} needs \`teleprompter: {lag: …}\` beside it`, { where: file });
  }
  const hash = createHash('sha256').update(readFileSync(project.codebook)).digest('hex').slice(0, 12);
  const dir = join(project.reports, 'models', `${name}-${dtype}-${hash}`);
  // A checkpoint appears whole or not at all.
  if (existsSync(join(dir, MARKER))) return dir;
  const tokenizer = loadTokenizer();
  const codebook = loadCodebook(project.codebook, (text) => tokenizer.encode(text));
  await writeCheckpoint({ dir, codebook, lag: teleprompter.lag, dtype: DTYPES[dtype], tokenizer });
  return dir;
}
