import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, temporaryFolder } from '../testing/cli.ts';

test('a lag, a dtype and a folder that cannot be are refused before anything is written', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'goldens'));
  writeFileSync(join(cwd, 'goldens/codebook.json'), '{"filler":"喹","entries":[[13,"龋"]]}');
  writeFileSync(join(cwd, 'spoilt.json'), '{"filler":"喹","entries":[[13,"two words"]]}');
  const refused = [];
  for (const args of [
    ['--out', 'a', '--lag', '300'],
    ['--out', 'a', '--dtype', 'fp8'],
    ['--out', 'goldens'],
    ['--out', 'a', '--codebook', 'none.json'],
    ['--out', 'a', '--codebook', 'spoilt.json'],
  ]) {
    const { exitCode, stderr } = await parity(['model', ...args], { cwd });
    refused.push(`${exitCode} ${stderr}`);
  }
  expect(refused).toMatchInlineSnapshot(`
    [
      "2 parity: --lag: expected 256 or 4096, received 300",
      "2 error: option '--dtype <dtype>' argument 'fp8' is invalid. Allowed choices are bf16, f16, f32.",
      "2 parity: goldens: holds 'codebook.json', which no checkpoint of this program has
      choose another folder; only a checkpoint written by this program is replaced",
      "2 parity: none.json: no codebook
      \`parity init\` makes one; --codebook names another",
      "2 parity: spoilt.json: 'two words' is not a single token",
    ]
  `);
  expect(readdirSync(cwd).sort()).toEqual(['goldens', 'spoilt.json']);
});
