import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { closest } from 'fastest-levenshtein';
import { InvalidError } from '../errors.ts';
import type { Lane } from '../schemas/types.ts';
import { loadYaml } from '../yaml/load.ts';

export interface LoadedLane {
  file: string;
  lane: Lane;
}

/** Every lane file of a project, by name. Throws {@link InvalidError} for the first one that is wrong. */
export function loadLanes(folder: string): LoadedLane[] {
  if (!existsSync(folder)) {
    throw new InvalidError('no lanes folder', {
      where: relative(process.cwd(), folder) || folder,
      hint: 'run this in a folder with ci/lanes/, or make one with `parity init`',
    });
  }
  const files = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
  const lanes = files.map((name) => {
    const file = relative(process.cwd(), join(folder, name));
    const { document: lane, locate } = loadYaml('lane', file);
    if (`${lane.name}.yaml` !== basename(file)) {
      throw new InvalidError(`the name is '${lane.name}' but the file is '${basename(file)}'`, {
        where: locate(['name']),
      });
    }
    return { file, lane };
  });
  return lanes.toSorted((a, b) => (a.lane.name < b.lane.name ? -1 : 1));
}

/** The lanes asked for by name; without names, the embedded ones: they need nothing but this program. */
export function selectLanes(lanes: readonly LoadedLane[], names: readonly string[]): LoadedLane[] {
  // Lanes that keep the terminal stop id first: the others are compared with them.
  if (names.length === 0) {
    const embedded = lanes.filter(({ lane }) => lane.embedded);
    return embedded.toSorted((a, b) => Number(a.lane.eos === 'trimmed') - Number(b.lane.eos === 'trimmed'));
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new InvalidError(`the lane '${twice}' is named twice`, {
      hint: 'a lane compared with itself proves nothing',
    });
  }
  const known = lanes.map(({ lane }) => lane.name);
  return names.map((name) => {
    const found = lanes.find(({ lane }) => lane.name === name);
    if (found) return found;
    const guess = known.length > 0 ? `did you mean '${closest(name, known)}'? ` : '';
    throw new InvalidError(`no lane '${name}'`, { hint: `${guess}lanes: ${known.join(', ') || 'none'}` });
  });
}

/** Text of a lane's own chat template; undefined where it uses the tokenizer's. Throws {@link InvalidError}. */
export function templateOf({ lane, file }: LoadedLane, root: string): string | undefined {
  if (lane.chat_template === undefined) return undefined;
  try {
    return readFileSync(join(root, lane.chat_template), 'utf8');
  } catch (error) {
    throw new InvalidError(`the chat template ${lane.chat_template} cannot be read`, {
      where: file,
      hint: 'the path is relative to the project folder',
      cause: error,
    });
  }
}
