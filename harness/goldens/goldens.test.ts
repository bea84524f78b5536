import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parity, REPOSITORY, temporaryProject } from '../testing/cli.ts';
import { goldenOf, healthyTranscript, oracle } from '../testing/transcripts.ts';
import { unfoldCore, withStop } from './codec.ts';
import { printGolden } from './print.ts';
import { contradictingRow, fromRows, toRows } from './rows.ts';

const { tokenizer } = oracle;

test('any ids survive the fold into rows, whatever characters they cut', () => {
  const id = fc.oneof(fc.integer({ min: 0, max: 151668 }), fc.constantFrom(198, 151645, 120914));
  fc.assert(
    fc.property(fc.array(id, { maxLength: 120 }), (ids) => {
      const known = ids.filter((value) => tokenizer.knows(value));
      const rows = toRows(known, tokenizer);
      expect(fromRows(rows)).toEqual(known);
      expect(contradictingRow(rows, tokenizer)).toBe(-1);
    }),
  );
});

test('rows break at newlines and special tokens, and runs are counted', () => {
  const ids = tokenizer.encode('<|im_start|>user\nHi 🤖\n\n喹喹喹喹喹喹<|im_end|>\n');
  expect(toRows(ids, tokenizer)).toMatchInlineSnapshot(`
    [
      [
        [
          151644,
          872,
          198,
        ],
        "<|im_start|>user
    ",
      ],
      [
        [
          13048,
          11162,
          97,
          244,
          271,
        ],
        "Hi 🤖

    ",
      ],
      [
        [
          120914,
        ],
        "喹",
        6,
      ],
      [
        [
          151645,
          198,
        ],
        "<|im_end|>
    ",
      ],
    ]
  `);
});

test('a golden folds and unfolds to the ids of its transcript', () => {
  const transcript = healthyTranscript();
  const cores = unfoldCore(goldenOf(transcript));
  expect(cores.map(({ prompt }) => prompt)).toEqual(transcript.turns.map((turn) => turn.prompt_token_ids));
  expect(cores.map(withStop)).toEqual(transcript.turns.map((turn) => turn.generation_token_ids));
});

test('a reply cut by the length limit has no stop id, even if its last id is one', () => {
  const transcript = healthyTranscript();
  const [first] = transcript.turns;
  Object.assign(first ?? {}, { finish_reason: 'length' });
  expect(goldenOf(transcript).turns[0]?.stop).toBeNull();
});

test('the canonical form has one row a line', () => {
  const lines = printGolden(goldenOf(healthyTranscript())).split('\n');
  expect(lines.filter((line) => line.includes('[[')).slice(0, 4)).toMatchInlineSnapshot(`
    [
      "        [[151644, 872, 198], "<|im_start|>user\\n"],",
      "        [[3838, 374, 279, 9104, 304, 1863, 5186, 713, 30], "What is the weather in Zürich?"],",
      "        [[151645, 198], "<|im_end|>\\n"],",
      "        [[151644, 77091, 198], "<|im_start|>assistant\\n"]",
    ]
  `);
});

test('new tokens are appended to the codebook and no golden changes', async () => {
  const cwd = temporaryProject(['tools/weather', 'basics/library-hours']);
  const scenario = join(cwd, 'scenarios/tools/new.yaml');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(
    scenario,
    'name: tools/new\nabout: words no other scenario uses\nexercises: [new tokens]\nturns:\n  - user: Go on.\n    say: "<think>\\nHm.\\n</think>\\n\\nSesquipedalian zyzzyva quokkas bivouacked."\n    expect: {finish_reason: stop}\n',
  );
  const before = readFileSync(join(cwd, 'goldens/codebook.json'), 'utf8');
  const goldens = ['tools/weather', 'basics/library-hours'].map((name) =>
    join(cwd, `goldens/teleprompter-256/spliced/${name}.json`),
  );
  const texts = goldens.map((file) => readFileSync(file, 'utf8'));
  const recorded = await parity(['record', '--reason', 'new words'], { cwd });
  expect(recorded).toMatchObject({ exitCode: 0 });
  expect(recorded.stdout.replace(/\d+ entries/, 'N entries')).toMatchInlineSnapshot(`
    "codebook: N entries appended
    embedded-vllm: 1 written, 0 unchanged, 2 not asked for (--update missing), 0 refused
    embedded-trtllm: 1 written, 0 unchanged, 2 not asked for (--update missing), 0 refused
    next: parity check, which finds differences that nobody has listed; then review the goldens"
  `);
  const after = readFileSync(join(cwd, 'goldens/codebook.json'), 'utf8');
  const entries = (text: string): string[] => JSON.parse(text).entries.map(String);
  expect(entries(after).slice(0, entries(before).length)).toEqual(entries(before));
  expect(entries(after).length).toBeGreaterThan(entries(before).length);
  const again = await parity(['record', '--update', 'all', '--reason', 'again'], { cwd });
  expect(again.stdout.match(/0 written, 3 unchanged/g)).toHaveLength(2);
  expect(goldens.map((file) => readFileSync(file, 'utf8'))).toEqual(texts);
  expect(await parity(['run'], { cwd })).toMatchObject({ exitCode: 0 });
});

test('an answer that contradicts its scenario is not recorded', async () => {
  const cwd = temporaryProject();
  const { writeFileSync } = await import('node:fs');
  const file = join(cwd, 'scenarios/tools/weather.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('tool_calls: [get_weather]', 'tool_calls: [get_whether]'),
  );
  const golden = join(cwd, 'goldens/teleprompter-256/spliced/tools/weather.json');
  const before = readFileSync(golden, 'utf8');
  const { exitCode, stderr } = await parity(['record', '--update', 'all', '--reason', 'x'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'turn 1 expect: the scenario expects tool_calls ["get_whether"], found ["get_weather"]',
  );
  expect(readFileSync(golden, 'utf8')).toBe(before);
});

test('every golden of this repository is in its canonical form', async () => {
  const { readdirSync } = await import('node:fs');
  const root = join(REPOSITORY, 'goldens/teleprompter-256');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  expect(files.length).toBeGreaterThanOrEqual(14);
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    expect(printGolden(JSON.parse(text))).toBe(text);
  }
});
