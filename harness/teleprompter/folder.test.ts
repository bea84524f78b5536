import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/cli.ts';
import { replaceFolder } from './folder.ts';

const OWN = { marker: 'marker.json', files: ['marker.json', 'x'] };
const write = (text: string) => async (made: string) => writeFileSync(join(made, OWN.marker), text);
const markerIn = (dir: string): string => readFileSync(join(dir, OWN.marker), 'utf8');

test('a new, an empty and an own folder are filled, and nothing is left beside them', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'empty'));
  for (const name of ['new', 'empty', 'new', 'deep/er']) {
    const result = await replaceFolder({ ...OWN, dir: join(folder, name) }, async (made) => {
      await write(`for ${name}`)(made);
      return 'done';
    });
    expect(result).toBe('done');
    expect(markerIn(join(folder, name))).toBe(`for ${name}`);
  }
  expect(readdirSync(folder).sort()).toEqual(['deep', 'empty', 'new']);
});

test('a failure leaves the old folder as it was', async () => {
  const folder = temporaryFolder();
  const own = { ...OWN, dir: join(folder, 'own') };
  await replaceFolder(own, write('old'));
  const fails = replaceFolder(own, async (made) => {
    await write('half')(made);
    throw new Error('disk full');
  });
  await expect(fails).rejects.toThrow('disk full');
  // The new folder cannot take its place: it is gone.
  await expect(replaceFolder(own, async (made) => rmSync(made, { recursive: true }))).rejects.toThrow(
    'ENOENT',
  );
  expect(markerIn(own.dir)).toBe('old');
  expect(readdirSync(folder)).toEqual(['own']);
});

test('a link stays a link, and what it points to is replaced', async () => {
  const folder = temporaryFolder();
  const real = { ...OWN, dir: join(folder, 'real') };
  await replaceFolder(real, write('old'));
  symlinkSync('real', join(folder, 'link'));
  await replaceFolder({ ...OWN, dir: join(folder, 'link') }, write('new'));
  expect(markerIn(real.dir)).toBe('new');
  expect(readdirSync(folder).sort()).toEqual(['link', 'real']);
});

test('a folder with anything else in it is refused, and so is a file', async () => {
  const folder = temporaryFolder();
  const own = { ...OWN, dir: join(folder, 'own') };
  const file = { ...OWN, dir: join(own.dir, 'notes.md') };
  await replaceFolder(own, write('ours'));
  writeFileSync(file.dir, 'mine');
  await expect(replaceFolder(own, write('new'))).rejects.toThrow(`${own.dir}: holds 'notes.md'`);
  await expect(replaceFolder(file, write('new'))).rejects.toThrow('is a file, not a folder');
  rmSync(join(own.dir, OWN.marker));
  await expect(replaceFolder(own, write('new'))).rejects.toThrow("holds 'notes.md'");
  expect(readFileSync(file.dir, 'utf8')).toBe('mine');
});
