import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, temporaryProject } from '../testing/cli.ts';

const LANES = ['--lane', 'embedded-vllm,embedded-trtllm'];

/** A project with one scenario whose two projections differ in several fields. */
const project = (): string => temporaryProject(['tools/tight-call']);

function edit(file: string, from: RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

test('two lanes are compared with each other, the listed differences apart', async () => {
  const { exitCode, stdout } = await parity(['run', ...LANES, '--against', 'each-other'], { cwd: project() });
  expect(stdout.replace(/\d+\.\d s/g, '0.0 s').replace(/reports\/.*/, 'reports/<id>')).toMatchInlineSnapshot(`
    "embedded-vllm (emulated) against embedded-trtllm (emulated), turns per field:

    | field                | equal | differs, listed | waived | red | only follows |
    | -------------------- | ----- | --------------- | ------ | --- | ------------ |
    | prompt_token_ids     | 2     | 0               | 0      | 0   | 0            |
    | generation_token_ids | 2     | 0               | 0      | 0   | 0            |
    | reasoning            | 2     | 0               | 0      | 0   | 0            |
    | tool_calls           | 1     | 1               | 0      | 0   | 0            |
    | content              | 1     | 1               | 0      | 0   | 0            |
    | finish_reason        | 1     | 1               | 0      | 0   | 0            |
    | usage                | 2     | 0               | 0      | 0   | 0            |
    | logprobs             | 2     | 0               | 0      | 0   | 0            |

    lane        embedded-vllm (emulated): 1 scenario, 2 turns, 19 fields asserted
    lane        embedded-trtllm (emulated): 1 scenario, 2 turns, 25 fields asserted
    compared    1212 ids (751 of them the server's own), 265 bytes of text
    normalisers tool_call_id@1 ×0, terminal_stop_id@1 ×2, reasoning_field_name@1 ×2
    rests on    3 listed differences, 0 waivers
           3 ×  newlines-demanded (tool_calls, content, finish_reason): A call without newlines inside
                its tags: parsed on vLLM, text on TRT-LLM (row 88).
    not covered embedded-vllm: the others are compared with it, it only with itself
    not covered embedded-vllm, embedded-trtllm: emulated, so this run is no evidence about a real engine
    time        0.0 s: launch 0.0 s, wait 0.0 s, request 0.0 s, compare 0.0 s, write 0.0 s; the harness's own 0.0 s
    EQUAL       the lanes give the same tokens and messages, listed differences apart
    written     reports/<id>"
  `);
  expect(exitCode).toBe(0);
});

test('a listed difference that is taken out turns the run red and is named', async () => {
  const cwd = project();
  // The entry for the calls of this scenario: its cause, field and place stay, the scenario does not.
  edit(join(cwd, 'goldens/differences.yaml'), /at: \[tools\/tight-call:1\]/, 'at: [tools/other:1]');
  const { exitCode, stdout } = await parity(['run', ...LANES, '--against', 'each-other', '--out', 'run'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  const { findings } = JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'));
  expect(findings[0]).toMatchObject({ scenario: 'tools/tight-call', turn: 1, against: 'embedded-vllm' });
  expect(stdout).toContain('FAIL tools/tight-call  turn 1');
});

test('against goldens the unlisted difference is red too, and check prints the entry to review', async () => {
  const cwd = project();
  edit(join(cwd, 'goldens/differences.yaml'), /at: \[tools\/tight-call:1\]/, 'at: [tools/other:1]');
  const run = await parity(['run', '--out', 'run'], { cwd });
  expect(run.exitCode).toBe(1);
  expect(run.stdout.replace(/\s+/g, ' ')).toContain('goldens/differences.yaml does not list it');
  const check = await parity(['check'], { cwd });
  expect(check.exitCode).toBe(2);
  expect(check.stderr).toMatchInlineSnapshot(`
    "goldens/teleprompter-256/spliced/tools/tight-call.json: turn 1: a difference in content that nobody has listed; if it is meant, add to goldens/differences.yaml:
      - cause: …
        reason: "…"
        between: [nemo-rl-trtllm, nemo-rl-vllm]
        field: content
        values:
          nemo-rl-trtllm: "\\n\\n<tool_call>{\\"name\\": \\"run_bash\\", \\"arguments\\": {\\"command\\": \\"git branch --show-current\\"}}</tool_call><tool_call>{\\"name\\":\\"run_bash\\",\\"arguments\\":{\\"command\\":\\"git status -s\\"}}</tool_call>"
          nemo-rl-vllm: null
        at: [tools/tight-call:1]"
  `);
});

test('a listed difference that no longer occurs is red', async () => {
  const cwd = project();
  edit(
    join(cwd, 'goldens/differences.yaml'),
    /at: \[tools\/tight-call:1\]/,
    'at: [tools/tight-call:1, tools/tight-call:2]',
  );
  const { exitCode, stdout } = await parity(['run', '--against', 'each-other'], { cwd });
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'no longer occurs; take tools/tight-call:2 out of goldens/differences.yaml',
  );
});

test('a recorded run is compared again without a server', async () => {
  const cwd = project();
  expect(await parity(['run', '--out', 'run'], { cwd })).toMatchObject({ exitCode: 0 });
  const again = await parity(['compare', 'embedded-vllm', 'embedded-trtllm', '--run', 'run'], { cwd });
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toContain('the lanes give the same tokens and messages, listed differences apart');
  const unknown = await parity(['compare', 'embedded-vllm', 'attach-vllm', '--run', 'run'], { cwd });
  expect(unknown).toMatchObject({ exitCode: 2 });
});

const waiver = (actual: string, expires: string): string => `waivers:
  - lane: embedded-vllm
    scenario: tools/tight-call
    turn: 1
    field: finish_reason
    expected: tool_calls
    actual: ${actual}
    owner: ada
    reason: the lane under test says stop
    link: https://example.org/1
    expires: "${expires}"
`;

const WAIVERS: [what: string, text: string, plant: string[], exitCode: number, says: string][] = [
  [
    'that holds',
    waiver('stop', '2999-01-01'),
    ['--plant', 'wrong-finish-reason'],
    0,
    'rests on    3 listed differences, 1 waiver',
  ],
  [
    'that has expired',
    waiver('stop', '2020-01-01'),
    ['--plant', 'wrong-finish-reason'],
    1,
    'its waiver expired on 2020-01-01',
  ],
  [
    'whose value drifted',
    waiver('length', '2999-01-01'),
    ['--plant', 'wrong-finish-reason'],
    1,
    'its waiver pins another deviating value',
  ],
  [
    'of what no longer happens',
    waiver('stop', '2999-01-01'),
    [],
    1,
    'the waived divergence in finish_reason no longer happens',
  ],
];

test.for(WAIVERS)('a waiver %s decides the exit code', async ([, text, plant, expected, says]) => {
  const cwd = project();
  writeFileSync(join(cwd, 'goldens/waivers.yaml'), text);
  const { exitCode, stdout } = await parity(['run', '--lane', 'embedded-vllm', ...plant], { cwd });
  expect(stdout.replace(/\s+/g, ' ')).toContain(says.replace(/\s+/g, ' '));
  expect(exitCode).toBe(expected);
});
