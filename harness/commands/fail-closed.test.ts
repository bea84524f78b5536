import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, temporaryProject } from '../testing/cli.ts';
import { standIn } from '../testing/stand-in.ts';

const GOLDEN = 'goldens/teleprompter-256/spliced/tools/weather.json';
const PAIR = ['--lane', 'embedded-vllm,embedded-trtllm', '--out', 'run'];

/** A transcript of a recorded run. */
const transcript = (cwd: string, lane: string): string =>
  join(cwd, `run/transcripts/${lane}/tools/weather.json`);

test('a reference lane that answers only errors is red, and nothing agrees with it', async () => {
  const cwd = temporaryProject();
  const { exitCode: played } = await parity(['run', ...PAIR], { cwd });
  expect(played).toBe(0);
  const file = transcript(cwd, 'embedded-vllm');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  for (const turn of document.turns) Object.assign(turn, { outcome: 'refused', http_status: 500 });
  writeFileSync(file, JSON.stringify(document));
  const { exitCode, stdout } = await parity(['compare', 'embedded-vllm', 'embedded-trtllm', '--run', 'run'], {
    cwd,
  });
  expect(stdout.split('\n').filter((line) => line.startsWith('FAIL'))).toMatchInlineSnapshot(`
    [
      "FAIL tools/weather  turn 1  http_status   embedded-vllm vs itself",
      "FAIL tools/weather  turn 1  http_status   embedded-trtllm vs embedded-vllm",
    ]
  `);
  expect(exitCode).toBe(1);
});

test('an answer of 500 to everything, readiness probe included, is no reference', async () => {
  const url = await standIn((_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error": "no"}');
  });
  const cwd = temporaryProject();
  const { exitCode, stdout } = await parity(['compare', 'attach-vllm', 'embedded-vllm', '--out', 'run'], {
    cwd,
    env: { PARITY_VLLM_URL: url },
  });
  expect(stdout).not.toContain('EQUAL');
  expect(exitCode).toBeGreaterThan(0);
});

test.for(['run', 'check'])('a golden that lost its last turns exits 2 (%s)', async (command) => {
  const cwd = temporaryProject();
  const golden = JSON.parse(readFileSync(join(cwd, GOLDEN), 'utf8'));
  golden.turns.pop();
  for (const projection of Object.values<{ turns: unknown[] }>(golden.projections)) projection.turns.pop();
  writeFileSync(join(cwd, GOLDEN), JSON.stringify(golden));
  const { exitCode, stderr } = await parity([command], { cwd });
  expect(stderr).toContain(`${GOLDEN}: has 3 turns, the scenario tools/weather has 4`);
  expect(exitCode).toBe(2);
});

test('a run whose transcripts are gone is judged incomplete', async () => {
  const cwd = temporaryProject();
  await parity(['run', ...PAIR], { cwd });
  rmSync(transcript(cwd, 'embedded-trtllm'));
  const { exitCode, stdout } = await parity(['verify', 'run'], { cwd });
  expect(stdout).toContain(
    'INCOMPLETE  lane embedded-trtllm: the transcript of tools/weather is missing (exit 4)',
  );
  expect(exitCode).toBe(4);
});

test('a run that was killed before its lanes played is judged incomplete', async () => {
  const cwd = temporaryProject();
  await parity(['run', ...PAIR], { cwd });
  const file = join(cwd, 'run/run.json');
  const run = JSON.parse(readFileSync(file, 'utf8'));
  // As it is written before the second lane starts.
  run.lanes[1] = { ...run.lanes[1], state: 'incomplete', message: 'not played' };
  writeFileSync(file, JSON.stringify(run));
  rmSync(transcript(cwd, 'embedded-trtllm'));
  const { exitCode, stdout } = await parity(['verify', 'run'], { cwd });
  expect(stdout).toContain('INCOMPLETE  lane embedded-trtllm: not played (exit 4)');
  expect(exitCode).toBe(4);
});

test('a recorded run is not judged by the golden of another template', async () => {
  const cwd = temporaryProject();
  await parity(['run', ...PAIR], { cwd });
  const text = readFileSync(join(cwd, GOLDEN), 'utf8');
  writeFileSync(join(cwd, GOLDEN), text.replace(/("template": ")..../, '$1ffff'));
  const { exitCode, stderr } = await parity(['verify', 'run'], { cwd });
  expect(stderr).toContain('recorded for another template');
  expect(exitCode).toBe(2);
});

const MISTAKES: [what: string, args: string[], exitCode: number, says: string][] = [
  [
    'a lane named twice',
    ['run', '--lane', 'embedded-vllm,embedded-vllm'],
    2,
    "the lane 'embedded-vllm' is named twice",
  ],
  ['a lane compared with itself', ['compare', 'embedded-vllm', 'embedded-vllm'], 2, 'named twice'],
  ['a second pattern that selects nothing', ['run', 'tools/weather', 'tools/wether'], 4, 'tools/wether'],
  [
    'a fault that acts on none of the lanes',
    ['run', '--lane', 'embedded-trtllm', '--plant', 'half-character-replaced'],
    2,
    'acts on none of these lanes',
  ],
  ['a list of no lanes', ['run', '--lane', ','], 2, 'It must name a lane.'],
  [
    'an attach URL that is none',
    ['run', '--lane', 'attach-vllm'],
    2,
    'the environment variable PARITY_VLLM_URL is not set',
  ],
];

test.for(MISTAKES)('%s exits before anything is played', async ([, args, expected, says]) => {
  const cwd = temporaryProject();
  const { exitCode, stderr } = await parity(args, { cwd });
  expect(stderr).toContain(says);
  expect(exitCode).toBe(expected);
  expect(readdirSync(cwd)).not.toContain('reports');
});
