import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidError } from '../errors.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { Project } from '../project.ts';
import { MARKER, writeCheckpoint } from '../teleprompter/checkpoint.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import type { Dtype } from '../teleprompter/floats.ts';
import { version } from '../version.ts';
import type { LoadedLane } from './load.ts';

/** Stands for the scripted checkpoint in a lane file. */
export const SCRIPTED = '{teleprompter}';
const DTYPES = { bfloat16: 'bf16', float16: 'f16', float32: 'f32' } as const satisfies Record<string, Dtype>;

/** Where a lane's checkpoint is, or will be written; undefined when the lane names none. Throws {@link InvalidError}. */
export function modelPath({ lane, file }: LoadedLane, project: Project): string | undefined {
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
  const hash = createHash('sha256')
    .update([version(), loadTokenizer().hash, teleprompter.lag, ''].join('\n'))
    .update(readFileSync(project.codebook))
    .digest('hex')
    .slice(0, 12);
  return join(project.reports, 'models', `${name}-${dtype}-${hash}`);
}

/**
 * The same, with the scripted checkpoint written there: once per codebook, lag, number format, tokenizer and version of the
 * harness.
 */
export async function modelFolder(loaded: LoadedLane, project: Project): Promise<string | undefined> {
  const dir = modelPath(loaded, project);
  const { path, teleprompter, dtype = 'bfloat16' } = loaded.lane.model;
  // A checkpoint appears whole or not at all.
  if (dir === undefined || path !== SCRIPTED || !teleprompter || existsSync(join(dir, MARKER))) return dir;
  const tokenizer = loadTokenizer();
  const codebook = loadCodebook(project.codebook, (text) => tokenizer.encode(text));
  await writeCheckpoint({ dir, codebook, lag: teleprompter.lag, dtype: DTYPES[dtype], tokenizer });
  return dir;
}
