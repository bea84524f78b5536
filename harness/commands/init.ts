import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidError } from '../errors.ts';
import { writeOut } from '../report/write.ts';

/** What a new project starts with: one scenario, the lane that plays it anywhere, its golden, and the codebook. */
export const INIT_FILES = [
  'scenarios/tools/weather.yaml',
  'ci/lanes/embedded-vllm.yaml',
  'ci/lanes/embedded-trtllm.yaml',
  'ci/lanes/attach-vllm.yaml',
  'goldens/codebook.json',
  'goldens/teleprompter-256/spliced/tools/weather.json',
];

/** `parity init`: makes a project in a folder; never overwrites a file. */
export function initCommand(folder: string): number {
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new InvalidError('it is a file', { where: folder, hint: 'name a new or empty folder' });
  }
  const taken = INIT_FILES.filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0) {
    throw new InvalidError(`${taken[0]} exists already`, {
      where: folder,
      hint: 'init only makes new projects; choose another folder',
    });
  }
  for (const file of INIT_FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(source(), file), join(folder, file));
  }
  const where = relative(process.cwd(), folder) || '.';
  writeOut(...INIT_FILES.map((file) => `made ${join(where, file)}`));
  writeOut(`next: ${where === '.' ? '' : `cd ${where} && `}npx parity run`);
  return 0;
}

/** In the published package the files lie beside the bundle, in the repository they are the repository's own. */
function source(): string {
  const bundled = fileURLToPath(new URL('./assets/project', import.meta.url));
  return existsSync(bundled) ? bundled : fileURLToPath(new URL('../..', import.meta.url));
}
