import { existsSync, readFileSync } from 'node:fs';

/** This program's version, from its package.json: beside the sources, or beside the bundle. */
export function version(): string {
  const file = ['../package.json', './package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url));
  const manifest = file ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }) : {};
  return manifest.version ?? 'unknown';
}
