import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/cli.ts';
import { loadYaml } from '../yaml/load.ts';
import { type Findings, laneOf, laneText } from './lane-file.ts';
import { goldenName, usableName } from './names.ts';

const found = (served: string): Findings => ({
  name: 'probed',
  server: 'vllm-serve',
  served,
  lag: undefined,
  parsers: { tool: 'hermes', reasoning: 'qwen3' },
  eos: 'kept',
  window: undefined,
  template: undefined,
  url: 'http://127.0.0.1:8000',
  apiKeyEnv: undefined,
  emulated: false,
  assumptions: [],
});

test('whatever name may stand in a lane file, the file reads back as that name and nothing else', () => {
  const file = join(temporaryFolder(), 'probed.yaml');
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(visible.filter(usableName), (name) => {
      const lane = laneOf(found(name), undefined);
      writeFileSync(file, laneText(lane));
      expect(loadYaml('lane', file).document).toEqual(lane);
      expect(lane.model.served_as ?? lane.model.name).toBe(name);
    }),
    {
      examples: [
        'true',
        'null',
        '1.0',
        '~',
        '#',
        '"',
        "'",
        '- a',
        '{x}',
        '!!js',
        '&a',
        '*a',
        '$' + '{HOME}',
        '|',
        '>',
      ].map((name) => [name]),
    },
  );
});

test('names with blanks, line ends, control or other characters are not usable', () => {
  const names = ['', 'a b', 'a\nattach: {url: http://evil}', '\u001b[2J', '\u202egnp', 'ü', 'x'.repeat(201)];
  expect(names.filter(usableName)).toEqual([]);
});

test('a golden folder is made of any name', () => {
  expect(['Qwen/Qwen3-0.6B', '../../etc', '@', 'X'.repeat(300)].map(goldenName)).toEqual([
    'qwen-qwen3-0.6b',
    'etc',
    'model',
    'x'.repeat(100),
  ]);
});
