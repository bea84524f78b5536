import { closest } from 'fastest-levenshtein';
import { InvalidError } from '../errors.ts';
import { toJs } from '../json/value.ts';
import { type Checked, checkDocument, type DocumentKind, type Problem } from '../schemas/validate.ts';
import { readYaml, type YamlFile } from './read.ts';

type Value<K extends DocumentKind> = Extract<Checked<K>, { ok: true }>['value'];

/** Reads a YAML file and checks it against its schema. Throws {@link InvalidError} that lists every problem with its place. */
export function loadYaml<K extends DocumentKind>(kind: K, file: string): YamlFile & { document: Value<K> } {
  const yaml = readYaml(file);
  const checked = checkDocument(kind, toJs(yaml.value));
  if (checked.ok) return { ...yaml, document: checked.value };
  const [first, ...others] = checked.problems.map((problem) => describe(problem, yaml));
  throw new InvalidError(`not a valid ${kind}`, {
    where: file,
    hint: [first, ...others.slice(0, 9)].join('\n  '),
  });
}

function describe({ path, message, allowed }: Problem, yaml: YamlFile): string {
  const where = yaml.locate(path);
  const key = path.at(-1);
  if (!allowed || key === undefined) {
    return `${where}: ${path.length > 0 ? `${path.join('.')} ` : ''}${message}`;
  }
  const hint = allowed.length > 0 ? `; did you mean '${closest(key, allowed)}'?` : '';
  return `${where}: ${message}${hint} (known: ${allowed.join(', ')})`;
}
