import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { type Heard, objectOf, textAt } from './heard.ts';

/**
 * A served name that may stand in a lane file: visible ASCII without blanks, as names of hubs and paths are. Whatever else a
 * server calls its model is shown, escaped, but goes nowhere.
 */
export const usableName = (name: string): boolean => /^[\x21-\x7e]{1,200}$/.test(name);

/** Folder of the goldens of a model that is served under this name. */
export function goldenName(served: string): string {
  const name = served
    .toLowerCase()
    .replace(/[^a-z0-9.@_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 100);
  return name === '' ? 'model' : name;
}

export interface ServedModel {
  id: string;
  /** Context window in tokens, where the server tells it. */
  window: number | undefined;
}

/** The models of `/v1/models`, in its order. */
export function servedModels(models: Heard): ServedModel[] {
  const list = objectOf(models)?.get('data');
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap((entry) => {
    const id = entry.get('id');
    return typeof id === 'string' ? [{ id, window: windowOf(entry.get('max_model_len')) }] : [];
  });
}

/** Larger windows than this are taken for nonsense. */
const MAX_WINDOW = 100_000_000;

function windowOf(value: Json | undefined): number | undefined {
  if (!(value instanceof JsonNumber)) return undefined;
  const number = value.value;
  return Number.isInteger(number) && number > 0 && number <= MAX_WINDOW ? number : undefined;
}

/** What a server says of its own version, and where. */
export function toldVersions(heard: ReadonlyMap<string, Heard>, chat: Heard | undefined): string[] {
  const version = heard.get('/version');
  const schema = heard.get('/openapi.json');
  const answer = [...(chat ? [chat] : []), ...heard.values()].find((entry) => entry.kind === 'answer');
  const entries: [string, string | undefined][] = [
    ['/version', version && textAt(objectOf(version), 'version')],
    ['/openapi.json title', schema && textAt(objectOf(schema), 'info', 'title')],
    ['/openapi.json version', schema && textAt(objectOf(schema), 'info', 'version')],
    ['system_fingerprint', chat && textAt(objectOf(chat), 'system_fingerprint')],
    ['server header', answer?.kind === 'answer' ? answer.headers.server : undefined],
  ];
  return entries.flatMap(([where, text]) => (text ? [`${where}: ${text}`] : []));
}
