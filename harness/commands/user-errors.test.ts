import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, temporaryFolder, temporaryProject } from '../testing/cli.ts';

const GOLDEN = 'goldens/teleprompter-256/spliced/tools/weather.json';

/** Mistakes that need no project: each a message with its place, exit 2, and no stack trace. */
const MISTAKES: [what: string, args: string[], stderr: RegExp][] = [
  ['--out below a file', ['run', '--out', 'a-file/run'], /^parity: ENOTDIR: not a directory, .*a-file/],
  ['--out over links in a circle', ['run', '--out', 'circle/run'], /^parity: ELOOP: .*circle/],
  ['init onto a file', ['init', 'a-file'], /^parity: a-file: it is a file\n {2}name a new or empty folder/],
  ['init below a file', ['init', 'a-file/x'], /^parity: ENOTDIR: .*a-file/],
  ['show of a file that is no JSON', ['show', 'a-file'], /^parity: a-file: not JSON\n/],
  [
    'show of JSON that is no golden',
    ['show', 'codebook.json'],
    /^parity: codebook.json: not a valid golden: /,
  ],
  ['show of a folder', ['show', 'a-folder'], /^parity: a-folder: cannot be read\n {2}EISDIR/],
  [
    'serve with kwargs that are no JSON',
    ['serve', '--chat-template-kwargs', '{a'],
    /^parity: --chat-template-kwargs: not JSON\n {2}/,
  ],
  [
    'serve with kwargs that are no object',
    ['serve', '--chat-template-kwargs', '[]'],
    /^parity: --chat-template-kwargs: not a JSON object/,
  ],
  ['serve on a port that is none', ['serve', '--port', '65536'], /^error: .*It must be at most 65535\./],
  [
    'serve with a template that is not there',
    ['serve', '--chat-template', 'none.jinja'],
    /^parity: none.jinja: the chat template cannot be read\n {2}ENOENT/,
  ],
  [
    'serve with a broken template',
    ['serve', '--chat-template', 'broken.jinja'],
    /^parity: broken.jinja: the chat template cannot be parsed\n {2}/,
  ],
];

test.for(MISTAKES)('%s', async ([, args, expected]) => {
  const cwd = args[0] === 'run' ? temporaryProject() : temporaryFolder();
  writeFileSync(join(cwd, 'a-file'), 'mine');
  mkdirSync(join(cwd, 'a-folder'));
  const book = '{"filler": "喹", "entries": []}';
  writeFileSync(join(cwd, 'codebook.json'), book);
  if (args[0] === 'serve') {
    mkdirSync(join(cwd, 'goldens'));
    writeFileSync(join(cwd, 'goldens/codebook.json'), book);
  }
  writeFileSync(join(cwd, 'broken.jinja'), '{% if %}');
  symlinkSync('circle', join(cwd, 'circle'));
  const { exitCode, stdout, stderr } = await parity(args, { cwd });
  expect(stderr).toMatch(expected);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(readFileSync(join(cwd, 'a-file'), 'utf8')).toBe('mine');
});

test('reports/last that is a folder is told before anything is played', async () => {
  const cwd = temporaryProject();
  mkdirSync(join(cwd, 'reports/last'), { recursive: true });
  const { exitCode, stderr } = await parity(['run'], { cwd });
  expect(stderr).toMatch(/^parity: .*reports\/last: it is no link, so it cannot point at the newest run\n/);
  expect(exitCode).toBe(2);
  expect(readdirSync(join(cwd, 'reports'))).toEqual(['last']);
});

test('a folder with a run.json of another program is no run folder, and is left alone', async () => {
  const cwd = temporaryProject();
  mkdirSync(join(cwd, 'theirs/transcripts'), { recursive: true });
  writeFileSync(join(cwd, 'theirs/run.json'), '{"run": "theirs"}');
  const { exitCode, stderr } = await parity(['run', '--out', 'theirs'], { cwd });
  expect(stderr).toContain('theirs: the folder exists and is no run folder');
  expect(exitCode).toBe(2);
  expect(readFileSync(join(cwd, 'theirs/run.json'), 'utf8')).toBe('{"run": "theirs"}');
  expect(readdirSync(join(cwd, 'theirs'))).toEqual(['run.json', 'transcripts']);
});

test('a run folder that lost its exchanges cannot be judged where they are needed', async () => {
  const cwd = temporaryProject();
  const lane = ['--lane', 'embedded-vllm'];
  await parity(['run', ...lane, '--plant', 'generation-prompt-lost', '--out', 'run'], { cwd });
  rmSync(join(cwd, 'run/exchanges'), { recursive: true });
  const { exitCode, stderr } = await parity(['verify', 'run'], { cwd });
  expect(stderr).toMatch(
    /^parity: run\/exchanges\/embedded-vllm\/tools\/weather\/1.response.txt: cannot be read\n {2}ENOENT/,
  );
  expect(exitCode).toBe(2);
  // A run folder of ours is used again, whatever else it lost.
  expect(await parity(['run', ...lane, '--out', 'run'], { cwd })).toMatchObject({ exitCode: 0 });
});

test('a golden whose row repeats without measure is refused', async () => {
  const cwd = temporaryProject();
  const text = readFileSync(join(cwd, GOLDEN), 'utf8');
  writeFileSync(join(cwd, GOLDEN), text.replace(/"喹", \d+\]/, '"喹", 2000000000]'));
  const { exitCode, stderr } = await parity(['run'], { cwd });
  expect(stderr).toMatchInlineSnapshot(`
    "parity: goldens/teleprompter-256/spliced/tools/weather.json: not a valid golden: turns.0.prompt.22.2 must be at most 100000, not 2000000000
      goldens are recorded, not edited; restore it or record it again"
  `);
  expect(exitCode).toBe(2);
});
