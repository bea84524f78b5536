import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InvalidError } from '../errors.ts';

export interface OwnFolder {
  dir: string;
  /** The file that a folder of ours has. */
  marker: string;
  /** Every file that a folder of ours may have; with any other in it, it is not replaced. */
  files: readonly string[];
}

/**
 * Fills a temporary folder beside `dir` and puts it in place of `dir` when it is whole. Returns what `fill` returned.
 * Throws {@link InvalidError}, before anything is written, when `dir` holds something that is not ours.
 */
export async function replaceFolder<T>(own: OwnFolder, fill: (folder: string) => Promise<T>): Promise<T> {
  const old = await namesIn(own.dir);
  refuseForeign(own, old);
  // A link keeps pointing where it points; its target is replaced.
  const dir = old === undefined ? own.dir : await realpath(own.dir);
  await mkdir(dirname(dir), { recursive: true });
  const temporary = await mkdtemp(join(dirname(dir), `.${basename(dir)}-`));
  try {
    const made = join(temporary, 'new');
    await mkdir(made);
    const result = await fill(made);
    await swap(made, dir, old === undefined ? undefined : join(temporary, 'old'));
    return result;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function swap(made: string, dir: string, aside: string | undefined): Promise<void> {
  if (aside !== undefined) await rename(dir, aside);
  try {
    await rename(made, dir);
  } catch (error) {
    if (aside !== undefined) await rename(aside, dir);
    throw error;
  }
}

/** Names in a folder; undefined when there is none. */
async function namesIn(dir: string): Promise<string[] | undefined> {
  try {
    return await readdir(dir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') throw new InvalidError('is a file, not a folder', { where: dir });
    throw error;
  }
}

function refuseForeign({ dir, marker, files }: OwnFolder, names: readonly string[] = []): void {
  if (names.length === 0) return;
  const foreign = names.includes(marker) ? names.find((name) => !files.includes(name)) : names[0];
  if (foreign === undefined) return;
  throw new InvalidError(`holds '${foreign}', which no checkpoint of this program has`, {
    where: dir,
    hint: 'choose another folder; only a checkpoint written by this program is replaced',
  });
}
