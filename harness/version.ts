import { existsSync, readFileSync } from 'node:fs';

/** This program's version, from its package.json: beside the sources, or beside the bundle. */
export const version = (): string => manifest().version ?? 'unknown';

/** The Node versions it runs on, as package.json says. */
export const nodeRange = (): string | undefined => manifest().engines?.node;

function manifest(): { version?: string; engines?: { node?: string } } {
  const file = ['../package.json', './package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url));
  return file ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
