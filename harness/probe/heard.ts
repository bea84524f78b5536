import { parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';

/** What came back for one question. */
export type Heard =
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'none'; reason: string };

/** Asks one server one question at a time, bounded in time and size. */
export interface Line {
  get(path: string): Promise<Heard>;
  /** A body that is text is sent as it is: it need not be JSON. */
  post(path: string, body: Json): Promise<Heard>;
}

/** The JSON of an answer; undefined for none, and for what is no JSON. */
export function jsonOf(heard: Heard): Json | undefined {
  if (heard.kind === 'none') return undefined;
  try {
    return parseJson(heard.text);
  } catch {
    return undefined;
  }
}

/** The JSON object of an answer with status 200. */
export function objectOf(heard: Heard): JsonObject | undefined {
  if (heard.kind === 'none' || heard.status !== 200) return undefined;
  const value = jsonOf(heard);
  return isObject(value) ? value : undefined;
}

/** The text at a path of keys and indexes. */
export function textAt(value: Json | undefined, ...path: (string | number)[]): string | undefined {
  let at: Json | undefined = value;
  for (const step of path) {
    if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined;
    else at = isObject(at) ? at.get(step) : undefined;
  }
  return typeof at === 'string' ? at : undefined;
}
