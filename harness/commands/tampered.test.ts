import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, REPOSITORY, temporaryProject } from '../testing/cli.ts';

/** A document of a run folder, changed. */
// biome-ignore lint/suspicious/noExplicitAny: what is changed has every shape.
type Change = (document: any) => void;

const TRANSCRIPT = 'transcripts/embedded-vllm/tools/weather.json';
const CASES: [what: string, file: string, change: Change | string | undefined][] = [
  ['nothing', 'run.json', () => {}],
  ['a lane listed twice', 'run.json', (run) => run.lanes.push(run.lanes[0])],
  ['a scenario listed twice', 'run.json', (run) => run.scenarios.push(run.scenarios[0])],
  ['a lane whose name is a path', 'run.json', (run) => Object.assign(run.lanes[0], { lane: '../../other' })],
  ['a label taken off', 'run.json', (run) => Object.assign(run.lanes[0], { emulated: false })],
  [
    'the transcript of another lane',
    TRANSCRIPT,
    (transcript) => Object.assign(transcript, { lane: 'embedded-trtllm' }),
  ],
  ['another promise', TRANSCRIPT, (transcript) => Object.assign(transcript, { eos: 'trimmed' })],
  ['one turn for all', TRANSCRIPT, (transcript) => transcript.turns.fill(transcript.turns[0])],
  [
    'an exchange elsewhere',
    TRANSCRIPT,
    ({ turns }) => Object.assign(turns[1], { exchange: '../../../../etc/passwd' }),
  ],
  ['an answer that no bytes gave', TRANSCRIPT, ({ turns }) => turns[1].generation_token_ids.splice(2, 1, 7)],
  ['bytes that are gone', 'exchanges/embedded-vllm/tools/weather/2.response.txt', undefined],
];

test('a run folder that is changed is refused, each part of it that stands twice', async () => {
  const cwd = temporaryProject();
  const lanes = ['run', '--lane', 'embedded-vllm,embedded-trtllm'];
  expect(await parity([...lanes, '--out', 'whole'], { cwd })).toMatchObject({ exitCode: 0 });
  const said: string[] = [];
  for (const [what, file, change] of CASES) {
    rmSync(join(cwd, 'run'), { recursive: true, force: true });
    cpSync(join(cwd, 'whole'), join(cwd, 'run'), { recursive: true });
    const path = join(cwd, 'run', file);
    if (typeof change === 'function') {
      const document = JSON.parse(readFileSync(path, 'utf8'));
      change(document);
      writeFileSync(path, JSON.stringify(document));
    } else rmSync(path);
    const { exitCode, stderr } = await parity(['verify', 'run'], { cwd });
    said.push(`${what}: ${exitCode} ${stderr.split('\n')[0]}`);
  }
  expect(said).toMatchInlineSnapshot(`
    [
      "nothing: 0 ",
      "a lane listed twice: 2 parity: run/run.json: embedded-vllm is listed twice",
      "a scenario listed twice: 2 parity: run/run.json: tools/weather is listed twice",
      "a lane whose name is a path: 2 parity: run/run.json: '../../other' is no name of a lane or scenario",
      "a label taken off: 2 parity: run: the transcript of tools/weather by embedded-vllm has emulated true, run.json has false",
      "the transcript of another lane: 2 parity: run/transcripts/embedded-vllm/tools/weather.json: it is the transcript of tools/weather by embedded-trtllm",
      "another promise: 2 parity: run: the transcript of tools/weather by embedded-vllm has eos trimmed, run.json has kept",
      "one turn for all: 2 parity: run/transcripts/embedded-vllm/tools/weather.json: turn 2 is not in its place: turn 1, exchanges/embedded-vllm/tools/weather/1",
      "an exchange elsewhere: 2 parity: run/transcripts/embedded-vllm/tools/weather.json: turn 2 is not in its place: turn 2, ../../../../etc/passwd",
      "an answer that no bytes gave: 2 parity: run/transcripts/embedded-vllm/tools/weather.json: generation_token_ids of turn 2 is not what the server's bytes say",
      "bytes that are gone: 2 parity: run/exchanges/embedded-vllm/tools/weather/2.response.txt: cannot be read",
    ]
  `);
});

test('a recorded template that is none, or another, is not used', async () => {
  const cwd = temporaryProject();
  for (const name of [
    'ci/lanes/embedded-vllm-prefilled.yaml',
    'ci/templates',
    'scenarios/prefilled',
    'goldens/teleprompter-256-prefilled',
  ]) {
    cpSync(join(REPOSITORY, name), join(cwd, name), { recursive: true });
  }
  const run = await parity(['run', '--lane', 'embedded-vllm-prefilled', '--out', 'run'], { cwd });
  expect(run.exitCode).toBe(0);
  const { lanes } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'));
  for (const text of ['{% if', 'another']) {
    writeFileSync(join(cwd, `run/templates/${lanes[0].template}.jinja`), text);
    const { exitCode, stderr } = await parity(['verify', 'run'], { cwd });
    expect(stderr).toContain('the chat template of lane embedded-vllm-prefilled is not in the run folder');
    expect(exitCode).toBe(2);
  }
});

test('a dead reference lane is infrastructure, with results', async () => {
  const cwd = temporaryProject();
  const { exitCode, stdout } = await parity(['compare', 'attach-vllm', 'embedded-vllm', '--out', 'run'], {
    cwd,
    env: { PARITY_VLLM_URL: 'http://127.0.0.1:1' },
  });
  expect(stdout).toContain('INFRA       lane attach-vllm: http://127.0.0.1:1 cannot be reached');
  expect(exitCode).toBe(3);
});

test('scenarios that only one of two lanes plays are counted as not covered', async () => {
  const cwd = temporaryProject(['tools/weather', 'basics/library-hours']);
  const lane = readFileSync(join(cwd, 'ci/lanes/embedded-trtllm.yaml'), 'utf8');
  writeFileSync(
    join(cwd, 'ci/lanes/embedded-trtllm.yaml'),
    lane.replace(/scenarios: .*/, 'scenarios: [tools]'),
  );
  const { stdout } = await parity(['compare', 'embedded-vllm', 'embedded-trtllm'], { cwd });
  expect(stdout).toContain('not covered 1 of 2 scenarios are compared with nothing: basics/library-hours');
});
