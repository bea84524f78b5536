import { type Fact, told, unknown } from './fact.ts';
import type { Heard } from './heard.ts';
import { servedModels, usableName } from './names.ts';

/** The model to ask for; none is sent where none is known. */
export interface Model {
  name: string | undefined;
  /** Context window in tokens, as told. */
  window: number | undefined;
  fact: Fact;
}

/** The model that was named by the user, or the first one that `/v1/models` tells. */
export function modelOf(models: Heard, named: string | undefined): Model {
  const served = servedModels(models);
  const entry = named === undefined ? served[0] : served.find(({ id }) => id === named);
  const window = entry?.window;
  if (named !== undefined) return { name: named, window, fact: told('model', `${named} (--model)`) };
  if (!entry) return { name: undefined, window, fact: unknown('model', '/v1/models tells none; not sent') };
  if (!usableName(entry.id)) {
    const line = `not sent, for it is no usable name: ${entry.id}`;
    return { name: undefined, window: undefined, fact: unknown('model', line) };
  }
  const size = window === undefined ? '' : `, window of ${window} tokens`;
  const more = served.length > 1 ? `, first of ${served.length} (--model takes another)` : '';
  return { name: entry.id, window, fact: told('model', `${entry.id}${size}${more}`) };
}
