import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Results } from '../schemas/types.ts';
import { parity, temporaryProject } from '../testing/cli.ts';
import { oracle } from '../testing/transcripts.ts';

const resultsIn = (cwd: string): Results => JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'));

/** The blocks of a report, without the sums below them. */
const blocks = (stdout: string): string => stdout.slice(0, stdout.indexOf('\nlane '));

test('the same cause over scenarios and turns is one block, its smallest example first, and one group', async () => {
  const cwd = temporaryProject([
    'tools/weather',
    'basics/library-hours',
    'basics/system-prompt',
    'reasoning/off',
  ]);
  const args = ['run', '--lane', 'embedded-vllm', '--continue', 'golden', '--out', 'run'];
  const { exitCode, stdout } = await parity([...args, '--plant', 'turn-separator-lost'], { cwd });
  expect(exitCode).toBe(1);
  expect(blocks(stdout)).toMatchInlineSnapshot(`
    "FAIL basics/system-prompt  turn 2  prompt_token_ids   embedded-vllm vs golden
      SPLICE  embedded-vllm deviates: the newline behind the carried answer is missing (separator-lost)
      scenarios/basics/system-prompt.yaml:20:5
      first different id at index 297: 198 expected, 151644 came; 562 ids expected, 561 came
         index  expected                            actual
      =    291   42443 'ää'                          42443 'ää'
      =    292   32965 ' hu'                         32965 ' hu'
      =    293   12913 'oment'                       12913 'oment'
      =    294      64 'a'                              64 'a'
      =    295      13 '.'                              13 '.'
      =    296  151645 '<|im_end|>'                 151645 '<|im_end|>'
      >    297     198 '\\n'
      =    298  151644 '<|im_start|>'               151644 '<|im_start|>'
      =    299     872 'user'                          872 'user'
      =    300     198 '\\n'                            198 '\\n'
      =    301     220 ' '                             220 ' '
      =    302     758 ' In'                           758 ' In'
      ~                                              14662 ' Bas'
      - 296 carried ids are kept; index 297: 13 151645 151644 872 198 220 =
        ".<|im_end|><|im_start|>user\\n "
      - without 198 "\\n" behind the end-of-turn id
      local oracle (shares code with the emulation) agrees with: the golden
      next: parity explain run basics/system-prompt:2 --field prompt_token_ids
      the same at 6 more places:
        basics/library-hours:2 prompt_token_ids
        reasoning/off:2 prompt_token_ids
        tools/weather:2 prompt_token_ids
        reasoning/off:3 prompt_token_ids
        tools/weather:3 prompt_token_ids
        tools/weather:4 prompt_token_ids
    "
  `);
  expect(stdout).toMatch(/DIVERGED {4}\d+ findings of 1 cause, \d+ more only follow \(exit 1\)/);
  const { findings, groups } = resultsIn(cwd);
  const first = findings.filter(({ followsFrom }) => followsFrom === undefined);
  expect(groups).toMatchObject([
    {
      verdict: 'SPLICE',
      cause: 'separator-lost',
      lane: 'embedded-vllm',
      against: 'golden',
      deviates: 'lane',
    },
  ]);
  expect(groups?.[0]?.count).toBe(first.length);
  expect(groups?.[0]?.at).toHaveLength(first.length);
});

test('lanes with different chat templates are told so before any token, by both hashes', async () => {
  const cwd = temporaryProject();
  mkdirSync(join(cwd, 'ci/templates'), { recursive: true });
  const source = oracle.template.source.replace('You are provided with', 'You have');
  writeFileSync(join(cwd, 'ci/templates/other.jinja'), source);
  const lane = readFileSync(join(cwd, 'ci/lanes/embedded-vllm.yaml'), 'utf8');
  writeFileSync(
    join(cwd, 'ci/lanes/other.yaml'),
    `${lane.replace('name: embedded-vllm', 'name: other')}\nchat_template: ci/templates/other.jinja\n`,
  );
  const { exitCode, stdout } = await parity(['compare', 'embedded-vllm', 'other', '--out', 'run'], { cwd });
  expect(exitCode).toBe(1);
  expect(blocks(stdout.slice(stdout.indexOf('FAIL')))).toMatchInlineSnapshot(`
    "FAIL tools/weather  turn 1  environment   other vs embedded-vllm
      ENV  the set-ups differ: another template: 87a2728cb8dc in embedded-vllm, e4a0a1747525 in other
            (other-template)
      expected  "87a2728cb8dc9fe424d624542f6060ec05a1d285ebbec578bb078900e33396b5"
      actual    "e4a0a17475253326d67deba9d474b94000a7e6ee10cfe021be6a222a4adf3d88"
      next: parity show tools/weather:1 --run run
    "
  `);
  const { findings } = resultsIn(cwd);
  expect(findings[0]).toMatchObject({ verdict: 'ENV', cause: 'other-template', field: 'environment' });
  // What another template explains is not asserted again.
  expect(findings.filter(({ followsFrom }) => followsFrom === undefined)).toHaveLength(1);
});
