import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { InvalidError } from '../errors.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Scenario } from '../schemas/types.ts';
import { loadYaml } from '../yaml/load.ts';

/** A scenario file that passed its checks. */
export interface LoadedScenario {
  name: string;
  file: string;
  document: Scenario;
  /** Tool definitions with the key order and number spelling of the file. */
  tools: Json[] | undefined;
  /** sha256 of what reaches a server: comments, layout, `about`, `exercises` and `expect` do not count. */
  hash: string;
  /** `file:line:col` of a turn, counted from 1. */
  locateTurn(turn: number): string;
}

/** Reads one scenario. Throws {@link InvalidError} with file:line:col. */
export function loadScenario(file: string, root: string): LoadedScenario {
  const shown = relative(process.cwd(), file) || file;
  const yaml = loadYaml('scenario', shown);
  const scenario = yaml.document;
  const name = nameOf(file, root);
  if (scenario.name !== name) {
    throw new InvalidError(`the name is '${scenario.name}' but the file is '${name}.yaml'`, {
      where: yaml.locate(['name']),
      hint: `write \`name: ${name}\` or move the file`,
    });
  }
  const [first] = scenario.turns;
  if (first?.results) {
    throw new InvalidError('the first turn has results, but nothing was called yet', {
      where: yaml.locate(['turns', '0', 'results']),
      hint: 'begin with `user:`',
    });
  }
  const value = yaml.value as JsonObject; // the schema demands an object
  const tools = value.get('tools');
  return {
    name,
    file: shown,
    document: scenario,
    tools: Array.isArray(tools) ? tools : undefined,
    hash: createHash('sha256')
      .update(printJson(sentParts(value)))
      .digest('hex'),
    locateTurn: (turn) => yaml.locate(['turns', String(turn - 1)]),
  };
}

function sentParts(scenario: JsonObject): Json {
  const without = (object: JsonObject, keys: string[]): JsonObject =>
    new Map([...object].filter(([key]) => !keys.includes(key)));
  const sent = without(scenario, ['name', 'about', 'exercises', 'turns']);
  const turns = scenario.get('turns');
  return sent.set(
    'turns',
    Array.isArray(turns) ? turns.map((turn) => (isObject(turn) ? without(turn, ['expect']) : turn)) : [],
  );
}

const nameOf = (file: string, root: string): string =>
  relative(root, file)
    .split(sep)
    .join('/')
    .replace(/\.ya?ml$/, '');

/** Every scenario under `root`, by name. Throws for the first one that is wrong. */
export function loadScenarios(root: string): LoadedScenario[] {
  let files: string[];
  try {
    files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    throw new InvalidError('no scenarios folder', {
      where: relative(process.cwd(), root) || root,
      hint: 'run this in a folder with scenarios/, or make one with `parity init`',
      cause: error,
    });
  }
  return files
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .map((file) => loadScenario(join(root, file), root));
}

/**
 * The names among `names` that any pattern selects: a name, a folder, or a glob (`tools/*`, `**\/emoji*`); a pattern with `!` in
 * front leaves out. All are selected where no pattern asks for any.
 */
export function selectNames(names: readonly string[], patterns: readonly string[]): string[] {
  const tests = (wanted: readonly string[]) =>
    wanted.map((pattern) => globPattern(pattern.replace(/^!/, '')));
  const [out, within] = [true, false].map((negative) =>
    tests(patterns.filter((entry) => entry.startsWith('!') === negative)),
  );
  const hits = (list: readonly RegExp[] | undefined, name: string): boolean =>
    list?.some((test) => test.test(name)) ?? false;
  return names.filter((name) => (within?.length === 0 || hits(within, name)) && !hits(out, name));
}

function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/\/$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(
      /\*\*\/|\*\*|\*|\?/g,
      (part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[part] ?? part,
    );
  return new RegExp(`^${source}(?:/.*)?$`);
}
