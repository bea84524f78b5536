import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printJson } from '../json/print.ts';
import { REPOSITORY, temporaryFolder } from '../testing/cli.ts';
import { loadScenario, loadScenarios, selectNames } from './scenario.ts';

const HEAD = 'name: tools/x\nabout: a\nexercises: [b]\n';

/** What loading a scenario file of this text says. */
function load(text: string): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'tools'));
  const file = join(root, 'tools/x.yaml');
  writeFileSync(file, text);
  try {
    loadScenario(file, root);
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replaceAll(/\S*tools\/x\.yaml/g, 'x.yaml');
  }
}

const FAULTS: [what: string, text: string][] = [
  ['an empty file', ''],
  ['a tab', `${HEAD}turns:\n\t- user: x\n`],
  ['no turns', `${HEAD}turns: []\n`],
  ['a misspelt key of a turn', `${HEAD}turns:\n  - user: x\n    sey: y\n`],
  ['a misspelt expectation', `${HEAD}turns:\n  - user: x\n    expect: {finish_reson: stop}\n`],
  ['a wrong value', `${HEAD}turns:\n  - user: x\n    expect: {finish_reason: done}\n`],
  ['user and results', `${HEAD}turns:\n  - user: x\n  - user: x\n    results: [y]\n`],
  ['neither user nor results', `${HEAD}turns:\n  - say: x\n`],
  ['results first', `${HEAD}turns:\n  - results: [y]\n`],
  ['another name', `${HEAD.replace('tools/x', 'tools/y')}turns:\n  - user: x\n`],
  ['a key twice', `${HEAD}about: c\nturns:\n  - user: x\n`],
  ['a number JSON cannot spell', `${HEAD}tools: [{a: .5}]\nturns:\n  - user: x\n`],
  ['a key that is a number', `${HEAD}tools: [{1: x}]\nturns:\n  - user: x\n`],
  ['a limit of zero', `${HEAD}sampling: {max_tokens: 0}\nturns:\n  - user: x\n`],
  [
    'an alias bomb',
    `${HEAD}tools:\n  - &a {x: [1,1,1,1,1,1]}\n${'  - [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n'.repeat(11)}turns:\n  - user: x\n`,
  ],
  ['deep nesting', `${HEAD}tools: ${'['.repeat(80)}${']'.repeat(80)}\nturns:\n  - user: x\n`],
  ['an unknown tag', `${HEAD}turns:\n  - user: !!binary aGk=\n`],
  ['a file of 2 MiB', `${HEAD}turns:\n  - user: ${'x'.repeat(2 * 1024 * 1024)}\n`],
];

test('every fault of a scenario file is named with its place', () => {
  expect(
    FAULTS.map(([what, text]) => `${what}\n    ${load(text).replaceAll('\n', '\n    ')}`).join('\n'),
  ).toMatchInlineSnapshot(`
    "an empty file
        x.yaml: the file is empty
    a tab
        x.yaml:5:1: Tabs are not allowed as indentation
    no turns
        x.yaml: not a valid scenario
          x.yaml:4:1: turns must NOT have fewer than 1 items
    a misspelt key of a turn
        x.yaml: not a valid scenario
          x.yaml:6:5: unknown key 'sey'; did you mean 'say'? (known: user, results, say, thinking, sampling, expect)
    a misspelt expectation
        x.yaml: not a valid scenario
          x.yaml:6:14: unknown key 'finish_reson'; did you mean 'finish_reason'? (known: finish_reason, tool_calls, arguments, content, content_includes, reasoning, reasoning_includes, prompt_includes, generation_includes, non_canonical, by_dialect)
    a wrong value
        x.yaml: not a valid scenario
          x.yaml:6:14: turns.0.expect.finish_reason must be one of stop, length, tool_calls
    user and results
        x.yaml: not a valid scenario
          x.yaml:6:5: turns.1 must have 'user' or 'results', not both
    neither user nor results
        x.yaml: not a valid scenario
          x.yaml:5:5: turns.0 must have 'user' or 'results'
    results first
        x.yaml:5:5: the first turn has results, but nothing was called yet
          begin with \`user:\`
    another name
        x.yaml:1:1: the name is 'tools/y' but the file is x.yaml'
          write \`name: tools/x\` or move the file
    a key twice
        x.yaml:4:1: Map keys must be unique
    a number JSON cannot spell
        x.yaml:4:13: .5 is not a JSON number
          spell it as JSON does, or quote it to make it text
    a key that is a number
        x.yaml:4:10: a key that is not text
          put the key in quotes
    a limit of zero
        x.yaml: not a valid scenario
          x.yaml:4:12: sampling.max_tokens must be at least 1, not 0
    an alias bomb
        x.yaml:16:6: more than 100 aliases
    deep nesting
        x.yaml:4:72: nested deeper than 64 levels
    an unknown tag
        x.yaml:5:20: a value of type object
    a file of 2 MiB
        x.yaml: larger than 1 MiB"
  `);
});

test('key order and number spelling of tool schemas survive', () => {
  const root = temporaryFolder();
  writeFileSync(
    join(root, 'x.yaml'),
    'name: x\nabout: a\nexercises: [b]\ntools: [{"2": 1.0, "1": 1e-7, z: 9007199254740993, a: -0}]\nturns: [{user: x}]\n',
  );
  const scenario = loadScenario(join(root, 'x.yaml'), root);
  expect(printJson(scenario.tools ?? [])).toBe('[{"2":1.0,"1":1e-7,"z":9007199254740993,"a":-0}]');
});

test('the hash covers what reaches a server and nothing else', () => {
  const root = temporaryFolder();
  const hash = (text: string): string => {
    writeFileSync(join(root, 'x.yaml'), text);
    return loadScenario(join(root, 'x.yaml'), root).hash;
  };
  const base =
    'name: x\nabout: a\nexercises: [b]\nturns:\n  - user: hello\n    expect: {finish_reason: stop}\n';
  expect(hash(`# a comment\n${base.replace('about: a', 'about: other').replace('stop}', 'length}')}`)).toBe(
    hash(base),
  );
  expect(hash(base.replace('hello', 'hullo'))).not.toBe(hash(base));
});

test('names are selected by name, folder and glob', () => {
  const names = ['tools/weather', 'tools/run-bash', 'text/emoji', 'toolshed/x'];
  const rows = [
    [],
    ['tools/weather'],
    ['tools'],
    ['tools/'],
    ['tools/*'],
    ['**/emoji'],
    ['t*/e*'],
    ['weather'],
    ['tools.weather'],
  ];
  expect(
    rows.map((patterns) => `${patterns.join(' ')}: ${selectNames(names, patterns).join(' ')}`),
  ).toMatchInlineSnapshot(`
    [
      ": tools/weather tools/run-bash text/emoji toolshed/x",
      "tools/weather: tools/weather",
      "tools: tools/weather tools/run-bash",
      "tools/: tools/weather tools/run-bash",
      "tools/*: tools/weather tools/run-bash",
      "**/emoji: text/emoji",
      "t*/e*: text/emoji",
      "weather: ",
      "tools.weather: ",
    ]
  `);
});

test('every scenario of this repository loads and says what it expects', () => {
  const scenarios = loadScenarios(join(REPOSITORY, 'scenarios'));
  expect(scenarios.length).toBeGreaterThanOrEqual(14);
  for (const { name, document } of scenarios) {
    expect
      .soft(
        document.turns.some(({ expect: wanted }) => wanted),
        name,
      )
      .toBe(true);
    expect
      .soft(
        document.turns.every(({ say }) => say !== undefined),
        name,
      )
      .toBe(true);
  }
});
