import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, temporaryProject } from '../testing/cli.ts';

const GOLDEN = 'goldens/teleprompter-256/spliced/tools/weather.json';

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test('an equal run exits 0 and says what was compared', async () => {
  const cwd = temporaryProject();
  const { exitCode, stdout } = await parity(['run'], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout.replace(/\d+\.\d s/g, '0.0 s').replace(/reports\/.*/, 'reports/<id>')).toMatchInlineSnapshot(`
    "lane        embedded-vllm (emulated): 1 scenario, 4 turns, 51 fields asserted
    lane        embedded-trtllm (emulated): 1 scenario, 4 turns, 51 fields asserted
    compared    7364 ids (2781 of them the server's own), 522 bytes of text
    normalisers tool_call_id@1 ×6, terminal_stop_id@1 ×8, reasoning_field_name@1 ×8
    rests on    0 listed differences, 0 waivers
    not covered embedded-vllm, embedded-trtllm: emulated, so this run is no evidence about a real engine
    time        0.0 s: launch 0.0 s, wait 0.0 s, request 0.0 s, compare 0.0 s, write 0.0 s; the harness's own 0.0 s
    EQUAL       every field of every turn equals its golden
    written     reports/<id>"
  `);
});

test('a misspelt scenario key exits 2 with its place and a guess', async () => {
  const cwd = temporaryProject();
  edit(join(cwd, 'scenarios/tools/weather.yaml'), '\nabout:', '\nabuot:');
  const { exitCode, stderr } = await parity(['run'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: scenarios/tools/weather.yaml: not a valid scenario
      scenarios/tools/weather.yaml:1:1: the key 'about' is missing
      scenarios/tools/weather.yaml:2:1: unknown key 'abuot'; did you mean 'about'? (known: name, about, exercises, system, tools, thinking, sampling, echo, turns)"
  `);
});

test('a golden whose id contradicts its text exits 2', async () => {
  const cwd = temporaryProject();
  edit(join(cwd, GOLDEN), '[2132, 374, 220, 16, 15,', '[2132, 374, 220, 17, 15,');
  const { exitCode, stderr } = await parity(['run'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: goldens/teleprompter-256/spliced/tools/weather.json: turn 2, generation row 4: the ids [2132, 374, 220, 17, 15, 5254, 7858, 13] say "It is 20 degrees.", the text says "It is 10 degrees."
      goldens are recorded, not edited; restore it or record it again"
  `);
});

test('a golden with id and text changed together exits 1 at the changed id', async () => {
  const cwd = temporaryProject();
  edit(join(cwd, GOLDEN), '[2132, 374, 220, 16, 15,', '[2132, 374, 220, 17, 15,');
  edit(join(cwd, GOLDEN), 'It is 10 degrees.', 'It is 20 degrees.');
  const { exitCode, stdout } = await parity(['run', '--lane', 'embedded-vllm', '--out', 'run'], { cwd });
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\d+\.\d s/g, '0.0 s')).toMatchInlineSnapshot(`
    "FAIL tools/weather  turn 2  generation_token_ids   embedded-vllm vs golden
      NUM  the golden deviates: another id from index 9 on; margin unknown (other-id)
      scenarios/tools/weather.yaml:34:5
      first different id at index 9: 17 expected, 16 came
         index  expected                            actual
      =      3     624 '.\\n'                           624 '.\\n'
      =      4  151668 '</think>'                   151668 '</think>'
      =      5     271 '\\n\\n'                          271 '\\n\\n'
      =      6    2132 'It'                           2132 'It'
      =      7     374 ' is'                           374 ' is'
      =      8     220 ' '                             220 ' '
      >      9      17 '2'                              16 '1'
      =     10      15 '0'                              15 '0'
      =     11    5254 ' deg'                         5254 ' deg'
      =     12    7858 'rees'                         7858 'rees'
      =     13      13 '.'                              13 '.'
      =     14  151645 '<|im_end|>'                 151645 '<|im_end|>'
      - index 9: 16 "1" on one side, 17 "2" on the other; 1 of 15 positions differ
      - the lane sends no alternatives, so the margin is unknown
      - the model is scripted: a sound engine cannot come near a tie here
      scripted reply agrees with: the lane
      next: parity explain run tools/weather:2 --field generation_token_ids

    lane        embedded-vllm (emulated): 1 scenario, 4 turns, 49 fields asserted
    compared    1290 ids (827 of them the server's own), 261 bytes of text
    normalisers tool_call_id@1 ×3, terminal_stop_id@1 ×4, reasoning_field_name@1 ×4
    rests on    0 listed differences, 0 waivers
    not covered embedded-vllm: emulated, so this run is no evidence about a real engine
    time        0.0 s: launch 0.0 s, wait 0.0 s, request 0.0 s, compare 0.0 s, write 0.0 s; the harness's own 0.0 s
    DIVERGED    1 finding, 2 more only follow (exit 1)
    written     run"
  `);
  const { findings } = JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'));
  expect(findings[0]).toMatchObject({
    scenario: 'tools/weather',
    turn: 2,
    field: 'generation_token_ids',
    index: 9,
  });
});

test('a missing golden exits 2', async () => {
  const cwd = temporaryProject();
  rmSync(join(cwd, GOLDEN));
  const { exitCode, stderr } = await parity(['run'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: goldens/teleprompter-256/spliced/tools/weather.json: no golden for tools/weather (model teleprompter-256, history spliced)
      record one with: parity record tools/weather --reason "…""
  `);
});

test('a golden of another scenario text exits 2 before anything runs', async () => {
  const cwd = temporaryProject();
  edit(join(cwd, 'scenarios/tools/weather.yaml'), 'careful agent', 'careless agent');
  const { exitCode, stderr } = await parity(['run'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: goldens/teleprompter-256/spliced/tools/weather.json: ENV: recorded for another scenario
      scenario: golden 50db132c1e75, now b9872143a9a4
      if the change is meant, record it again: parity record tools/weather --update changed --reason "…""
  `);
});

test('an unknown lane exits 2 and lists the lanes', async () => {
  const { exitCode, stderr } = await parity(['run', '--lane', 'embeded-vllm'], { cwd: temporaryProject() });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: no lane 'embeded-vllm'
      did you mean 'embedded-vllm'? lanes: attach-vllm, embedded-trtllm, embedded-vllm"
  `);
});

test('an unknown command exits 2 with a guess', async () => {
  const { exitCode, stderr } = await parity(['rnu'], { cwd: temporaryProject() });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "error: unknown command 'rnu'
    (Did you mean run?)"
  `);
});

test('an empty selection exits 4', async () => {
  const { exitCode, stderr } = await parity(['run', 'tools/wether'], { cwd: temporaryProject() });
  expect(exitCode).toBe(4);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: no scenario is selected by tools/wether
      there are 1; \`parity list\` shows their names"
  `);
});

test('an attach URL that nobody answers exits 3', async () => {
  const { exitCode, stdout } = await parity(['run', '--lane', 'attach-vllm'], {
    cwd: temporaryProject(),
    // Port 9 (discard) is privileged and closed.
    env: { PARITY_VLLM_URL: 'http://127.0.0.1:9' },
  });
  expect(exitCode).toBe(3);
  expect(stdout.split('\n').slice(0, 1)).toMatchInlineSnapshot(`
    [
      "lane        attach-vllm: infra: http://127.0.0.1:9 cannot be reached: connection refused",
    ]
  `);
});

test('an attach URL that is not set exits 2', async () => {
  const { exitCode, stderr } = await parity(['run', '--lane', 'attach-vllm'], { cwd: temporaryProject() });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: ci/lanes/attach-vllm.yaml: the environment variable PARITY_VLLM_URL is not set
      set it to the server's base URL, without /v1: PARITY_VLLM_URL=http://127.0.0.1:8000"
  `);
});

test('recording in CI exits 2 and writes nothing', async () => {
  const cwd = temporaryProject();
  const before = readFileSync(join(cwd, GOLDEN), 'utf8');
  const { exitCode, stderr } = await parity(['record', '--update', 'all', '--reason', 'x'], {
    cwd,
    env: { CI: 'true' },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toMatchInlineSnapshot(`
    "parity: goldens are not recorded in CI
      record them locally, review the diff, commit it"
  `);
  expect(readFileSync(join(cwd, GOLDEN), 'utf8')).toBe(before);
});

test('recording from a server that nobody answers for exits 3 and writes nothing', async () => {
  const cwd = temporaryProject();
  const before = readFileSync(join(cwd, GOLDEN), 'utf8');
  const { exitCode, stderr } = await parity(
    ['record', '--lane', 'attach-vllm', '--update', 'all', '--reason', 'x'],
    { cwd, env: { PARITY_VLLM_URL: 'http://127.0.0.1:9' } },
  );
  expect(exitCode).toBe(3);
  expect(stderr).toContain('http://127.0.0.1:9 cannot be reached: connection refused');
  expect(readFileSync(join(cwd, GOLDEN), 'utf8')).toBe(before);
});

test('a run folder that is a file, or holds something else, exits 2 and is left alone', async () => {
  const cwd = temporaryProject();
  writeFileSync(join(cwd, 'notes.txt'), 'mine');
  const file = await parity(['run', '--out', 'notes.txt'], { cwd });
  expect(file).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('the run folder is a file') });
  const folder = await parity(['run', '--out', 'scenarios'], { cwd });
  expect(folder).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is no run folder') });
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
});

test('credentials in an attach URL reach neither the terminal nor the run folder', async () => {
  const cwd = temporaryProject();
  const { exitCode, stdout, stderr } = await parity(['run', '--lane', 'attach-vllm', '--out', 'run'], {
    cwd,
    env: { PARITY_VLLM_URL: 'http://ada:hunter2@127.0.0.1:9' },
  });
  expect(exitCode).toBe(3);
  const kept = ['run.json', 'results.json', 'events.jsonl'].map((name) =>
    readFileSync(join(cwd, 'run', name), 'utf8'),
  );
  expect([stdout, stderr, ...kept].join('\n')).not.toContain('hunter2');
});

test('a fault of the harness itself exits 4 with its stack, never 1', async () => {
  const cwd = temporaryProject();
  // What no check of ours foresees.
  const { exitCode, stderr } = await parity(['run'], {
    cwd,
    env: {
      NODE_OPTIONS: '--import=data:text/javascript,Map.groupBy=()=>{throw%20new%20TypeError(7)}',
    },
  });
  expect(stderr).toContain('parity: the harness itself has failed, so nothing is decided\nTypeError: 7');
  expect(exitCode).toBe(4);
});

test('a selection beside --plant all exits 2', async () => {
  const { exitCode, stderr } = await parity(['run', 'tools/weather', '--plant', 'all'], {
    cwd: temporaryProject(),
  });
  expect(stderr).toContain('--plant all chooses scenarios, lanes and folders itself');
  expect(exitCode).toBe(2);
});
