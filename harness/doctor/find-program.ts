import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The file that a command's first word starts, as a launch without a shell finds it; undefined where there is none. */
export function findProgram(word: string, { path, cwd }: { path: string; cwd: string }): string | undefined {
  if (word.includes('/')) return isProgram(isAbsolute(word) ? word : resolve(cwd, word));
  for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
    const found = isProgram(join(folder, word));
    if (found) return found;
  }
  return undefined;
}

function isProgram(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
