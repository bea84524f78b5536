import { InvalidError } from '../../errors.ts';

/** Values of the {names} that a lane file may use; undefined where a name has none in this lane. */
export type Names = Readonly<Record<string, string | undefined>>;

/**
 * Fills known `{names}` and `${NAME}` of the environment into a text of a lane file. Other braces are literal: JSON arguments
 * stay as they are. Throws {@link InvalidError} for a name without a value here.
 */
export function fillNames(template: string, names: Names, file: string): string {
  return template.replace(/\$\{(\w+)\}|\{([a-z_.]+)\}/g, (whole, variable?: string, name?: string) => {
    if (variable !== undefined) return fromEnvironment(variable, file);
    if (name === undefined || !Object.hasOwn(names, name)) return whole;
    const value = names[name];
    if (value !== undefined) return value;
    throw new InvalidError(`{${name}} has no value in this lane`, { where: file, hint: HINTS[name] ?? '' });
  });
}

const HINTS: Record<string, string> = {
  'model.path': 'add `path:` to its model; "{teleprompter}" is the scripted checkpoint',
  'handshake.url': 'only `url:` may use it: the command prints it when it runs',
};

function fromEnvironment(name: string, file: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new InvalidError(`the environment variable ${name} is not set`, {
    where: file,
    hint: 'the lane file uses it; set it, or write the value there',
  });
}
