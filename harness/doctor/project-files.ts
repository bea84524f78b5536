import { existsSync, readFileSync } from 'node:fs';
import { GoldenStore } from '../goldens/store.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { Project } from '../project.ts';
import { checkProject } from '../run/check-project.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import { type Check, fail, ok, warn } from './check.ts';

const isProject = ({ scenarios, lanes, goldens }: Project): boolean =>
  [scenarios, lanes, goldens].some((folder) => existsSync(folder));

/** The tokenizer, the codebook, and every file of the project. */
export function projectChecks(project: Project): Check[] {
  if (!isProject(project)) {
    const shown = 'no scenarios/, ci/lanes/ or goldens/ in this folder';
    return [tokenizerCheck(project), warn('project', shown, 'change to a project, or make one: parity init')];
  }
  return [tokenizerCheck(project), codebookCheck(project), filesCheck(project)];
}

/** The bundled tokenizer must be the one that the goldens were recorded with. */
function tokenizerCheck(project: Project): Check {
  const { hash } = loadTokenizer();
  const short = hash.slice(0, 12);
  const store = new GoldenStore(project.goldens, loadTokenizer());
  const keys = store.list();
  const other = keys.map((key) => store.file(key)).find((file) => recordedWith(file) !== hash);
  if (other === undefined) return ok('tokenizer', `${short}, as in ${keys.length} goldens`);
  const theirs = recordedWith(other)?.slice(0, 12) ?? 'none';
  return fail(
    'tokenizer',
    `${short} is bundled, but ${other} was recorded with ${theirs}`,
    'use the version of this program that recorded the goldens, or record them again',
  );
}

/** The tokenizer of a golden's identity; a golden that cannot be read is told by the check of all files. */
function recordedWith(file: string): string | undefined {
  try {
    const golden = JSON.parse(readFileSync(file, 'utf8')) as { identity?: { tokenizer?: string } };
    return golden.identity?.tokenizer;
  } catch {
    return loadTokenizer().hash;
  }
}

/** Entries of the project's codebook; undefined where there is none that can be read. */
export function codebookEntries({ codebook }: Project): number | undefined {
  try {
    return loadCodebook(codebook, (text) => loadTokenizer().encode(text)).entries.length;
  } catch {
    return undefined;
  }
}

function codebookCheck({ codebook }: Project): Check {
  const remedy = 'restore goldens/codebook.json from version control; `parity init` brings one';
  if (!existsSync(codebook)) return warn('codebook', 'none: replies cannot be scripted', remedy);
  try {
    const { entries } = loadCodebook(codebook, (text) => loadTokenizer().encode(text));
    return ok('codebook', `${entries.length} entries`);
  } catch (error) {
    return fail('codebook', (error as Error).message, remedy);
  }
}

function filesCheck(project: Project): Check {
  const { scenarios, lanes, goldens, problems } = checkProject(project);
  const counted = `${scenarios} scenarios, ${lanes} lanes, ${goldens} goldens`;
  const [first] = problems;
  if (first === undefined) return ok('files', counted);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return fail(
    'files',
    `${counted}; ${first.split('\n')[0] ?? ''}${more}`,
    '`parity check` lists all problems with what to do',
  );
}
