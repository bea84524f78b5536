import { InvalidError } from '../../errors.ts';

/** Values of the {names} that a lane file may use; undefined where a name has none in this lane. */
export type Names = Readonly<Record<string, string | undefined>>;

export interface FillOptions {
  file: string;
  caller: NodeJS.ProcessEnv;
  /** Told every value that came from the environment. */
  onSecret?: (value: string) => void;
}

/**
 * Fills known `{names}` and `${NAME}` of the environment into a text of a lane file. Other braces are literal: JSON arguments
 * stay as they are. Throws {@link InvalidError} for a name without a value here.
 */
export function fillNames(template: string, names: Names, { file, caller, onSecret }: FillOptions): string {
  return template.replace(/\$\{(\w+)\}|\{([a-z_.]+)\}/g, (whole, variable?: string, name?: string) => {
    if (variable !== undefined) {
      const value = caller[variable];
      if (!value) throw unset(variable, file);
      onSecret?.(value);
      return value;
    }
    if (name === undefined || !Object.hasOwn(names, name)) return whole;
    const value = names[name];
    if (value !== undefined) return value;
    throw new InvalidError(`{${name}} has no value in this lane`, {
      where: file,
      ...(HINTS[name] ? { hint: HINTS[name] } : {}),
    });
  });
}

const HINTS: Record<string, string> = {
  'model.path': 'add `path:` to its model; "{teleprompter}" is the scripted checkpoint',
  'handshake.url': 'only `url:` may use it: the command prints it when it runs',
  chat_template: 'add `chat_template:` to the lane',
};

const unset = (name: string, file: string): InvalidError =>
  new InvalidError(`the environment variable ${name} is not set`, {
    where: file,
    hint: 'the lane file uses it; set it, or write the value there',
  });
