import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NormaliserCounts } from '../compare/judge.ts';
import { FIELDS } from '../domain.ts';
import { GoldenStore } from '../goldens/store.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { REPOSITORY } from '../testing/cli.ts';
import { loadYaml } from '../yaml/load.ts';
import { type Known, rowsOf, tableFaults } from './table.ts';
import { namesOfTests } from './test-names.ts';

const README = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
const count = (to: number, prefix = ''): string[] =>
  Array.from({ length: to }, (_, index) => `${prefix}${index + 1}`);
/** The numbers of the published comparison and of its list of fields, and what was measured beside them. */
const ROWS = [...count(126), ...count(8, '11.'), ...count(11, 'm')];
const NORMALISERS = {
  tool_call_id: 0,
  terminal_stop_id: 0,
  reasoning_field_name: 0,
} satisfies NormaliserCounts;

let known: Known;
beforeAll(async () => {
  const file = (name: string): string => join(REPOSITORY, 'goldens', name);
  const { differences } = loadYaml('differences', file('differences.yaml')).document;
  const places = differences.flatMap(({ cause, field, at }) =>
    at.map((place) => ({ cause, place: `${place.replace(/:\d+$/, '')}: ${field}` })),
  );
  const causes = Map.groupBy(places, ({ cause }) => cause);
  known = {
    rows: ROWS,
    tests: await namesOfTests(
      REPOSITORY,
      rowsOf(README).flatMap(({ tests }) => tests),
    ),
    scenarios: playedByBoth(),
    fields: new Set(FIELDS),
    normalisers: new Set(Object.keys(NORMALISERS)),
    causes: new Map([...causes].map(([cause, listed]) => [cause, new Set(listed.map(({ place }) => place))])),
    waivers: loadYaml('waivers', file('waivers.yaml')).document.waivers,
  };
});

/** Scenarios with a golden that holds what each of NeMo-RL's servers makes of it. */
function playedByBoth(): Set<string> {
  const project = projectAt(REPOSITORY);
  const store = new GoldenStore(project.goldens, loadTokenizer());
  const keys = store.list().filter(({ scenario }) => existsSync(join(project.scenarios, `${scenario}.yaml`)));
  const both = keys.filter((key) => {
    const { projections } = store.load(key);
    return projections['nemo-rl-vllm'] && projections['nemo-rl-trtllm'];
  });
  return new Set(both.map(({ scenario }) => scenario));
}

test('every row is there once, with a test that exists, and explains what runs rest on', () => {
  expect(tableFaults(README, known)).toEqual([]);
});

describe('the table is red', () => {
  /** The README with one text replaced everywhere. */
  const faults = (from: string | RegExp, to: string): string[] => {
    const edited = README.replaceAll(from, to);
    expect(edited).not.toBe(README);
    return tableFaults(edited, known);
  };

  test.each([
    ['a row that is gone', /^\| 57 \|.*\n/gm, '', ['row 57 is missing']],
    ['a row that is there twice', /^(\| 57 \|.*\n)/gm, '$1$1', ['row 57 is there twice']],
    ['a number nobody gave', '| 57 |', '| 157 |', ['row 57 is missing', 'row 157 is unknown']],
    ['a row without a test', /^(\| 57 \|.*\|)[^|]*\|$/gm, '$1 none |', ['row 57: names no test']],
    [
      'a test that is not there',
      '`dialects/contract.test.ts: row 1: ',
      '`dialects/contract.test.ts: row one: ',
      ["row 1: there is no 'dialects/contract.test.ts: row one: temperature left out'"],
    ],
    [
      'a file that is not there',
      'transport.test.ts: row 119',
      'travel.test.ts: row 119',
      ["row 119: there is no 'dialects/travel.test.ts: row 119: a server has one request at a time'"],
    ],
    [
      'a scenario that is not there',
      'scenarios/tools/unknown-tool: ',
      'scenarios/tools/unheard-of: ',
      ["row 95: there is no 'scenarios/tools/unheard-of: tool_calls'"],
    ],
    [
      'a field that is not asserted',
      'weather: contiguity',
      'weather: mood',
      ["row 55: there is no 'scenarios/tools/weather: mood'"],
    ],
    [
      'another way out',
      'not reached: scenarios are text',
      'ignored',
      ["row 47: 'ignored' is no way to handle a difference"],
    ],
    [
      'no reason',
      'not reached: scenarios are text',
      'not reached',
      ['row 47: says not why it is not reached'],
    ],
    [
      'a cause nobody listed',
      '`closing-tag-removed`',
      '`closing-tag-lost`',
      [
        "row m1: there is no listed difference 'closing-tag-lost'",
        "no row names the listed difference 'closing-tag-removed'",
      ],
    ],
    [
      'a cause at a place where it is not listed',
      'scenarios/limits/cut-in-emoji: content',
      'scenarios/limits/cut-in-call: content',
      ["row 71: names no place where 'half-character-at-a-cut' is listed"],
    ],
    [
      'a waiver at a place that is not waived',
      'scenarios/tokens/end-of-text: prompt_token_ids',
      'scenarios/tokens/end-of-text: content',
      [
        'row 56: names no place that is waived',
        'row 11.3: names no place that is waived',
        'no row names the waiver of prompt_token_ids in tokens/end-of-text',
      ],
    ],
    [
      'a normaliser nobody has',
      'normalised: `tool_call_id`',
      'normalised: `id`',
      ['row 45', 'row 99', 'row 11.2'].map((row) => `${row}: there is no normaliser 'id'`),
    ],
  ])('with %s', (_what, from, to, expected) => {
    expect(faults(from, to)).toEqual(expected);
  });
});
