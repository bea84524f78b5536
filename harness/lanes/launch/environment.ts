/** What any program needs; everything else is named by the lane. MPI, PMI and Slurm variables stay out by this. */
const BASE = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
];

export type Environment = Record<string, string>;

/** The whole environment of a launched server: a small base, what the lane keeps, what the lane sets. */
export function engineEnvironment(
  caller: NodeJS.ProcessEnv,
  keep: readonly string[],
  own: Environment,
): Environment {
  const kept = (name: string): boolean =>
    BASE.includes(name) ||
    keep.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
  const entries = Object.entries(caller).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && kept(entry[0]),
  );
  return { ...Object.fromEntries(entries), ...own };
}

/** As words of a name: TOKENIZERS_PARALLELISM is none. */
const SECRET =
  /(^|[_-])(auth|authorization|credentials?|keys?|pass|passwd|password|secrets?|tokens?)($|[_-])/i;

/** Whether a variable of this name holds what nobody else may read. */
export const isSecretName = (name: string): boolean => SECRET.test(name);
