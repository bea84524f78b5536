import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, temporaryProject } from '../testing/cli.ts';

const GOLDEN = 'goldens/teleprompter-256/spliced/tools/weather.json';
const SCENARIO = 'scenarios/tools/weather.yaml';

/** What `parity check` says about a project with one thing changed. */
async function problems(change: (cwd: string) => void): Promise<string[]> {
  const cwd = temporaryProject();
  change(cwd);
  const { exitCode, stderr } = await parity(['check'], { cwd });
  expect(exitCode).toBe(stderr === '' ? 0 : 2);
  return stderr.split('\n').filter(Boolean);
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));

test('a golden that is missing is a problem, told once for all lanes that need it', async () => {
  expect(await problems((cwd) => rmSync(join(cwd, GOLDEN)))).toMatchInlineSnapshot(`
    [
      "goldens/teleprompter-256/spliced/tools/weather.json: no golden for tools/weather (model teleprompter-256, history spliced)",
      "  record one with: parity record tools/weather --reason "…"",
    ]
  `);
});

test('a golden without the messages of a lane’s server kind is a problem', async () => {
  const found = await problems((cwd) =>
    edit(join(cwd, GOLDEN), (text) => {
      const golden = JSON.parse(text);
      delete golden.projections['nemo-rl-trtllm'];
      return JSON.stringify(golden);
    }),
  );
  expect(found).toMatchInlineSnapshot(`
    [
      "goldens/teleprompter-256/spliced/tools/weather.json: no projection for nemo-rl-trtllm",
      "  record one with a lane of that server kind: parity record tools/weather --lane … --reason "…"",
    ]
  `);
});

test('a scenario that fails to load does not make its golden an orphan', async () => {
  const found = await problems((cwd) =>
    edit(join(cwd, SCENARIO), (text) => text.replace('\nabout:', '\nabuot:')),
  );
  expect(found).toMatchInlineSnapshot(`
    [
      "scenarios/tools/weather.yaml: not a valid scenario",
      "  scenarios/tools/weather.yaml:1:1: the key 'about' is missing",
      "  scenarios/tools/weather.yaml:2:1: unknown key 'abuot'; did you mean 'about'? (known: name, about, exercises, system, tools, thinking, sampling, echo, turns)",
    ]
  `);
});

test('a lane that fails to load does not make goldens orphans', async () => {
  const found = await problems((cwd) =>
    edit(join(cwd, 'ci/lanes/embedded-vllm.yaml'), (text) => text.replace(/^eos:.*$/m, 'eos: lost')),
  );
  expect(found.filter((line) => line.includes('no lane') || line.includes('delete'))).toEqual([]);
  expect(found.join('\n')).toContain('eos must be one of kept, trimmed');
});

test('a golden without its scenario is an orphan', async () => {
  expect(await problems((cwd) => rmSync(join(cwd, SCENARIO)))).toMatchInlineSnapshot(`
    [
      "goldens/teleprompter-256/spliced/tools/weather.json: no scenario 'tools/weather'",
      "  delete the golden, or bring the scenario back",
    ]
  `);
});

test('a chat template that is none is a problem of its lane', async () => {
  const found = await problems((cwd) => {
    writeFileSync(join(cwd, 'ci/broken.jinja'), '{% if %}');
    edit(join(cwd, 'ci/lanes/attach-vllm.yaml'), (text) => `${text}\nchat_template: ci/broken.jinja\n`);
  });
  expect(found[0]).toBe('ci/lanes/attach-vllm.yaml: the chat template cannot be parsed');
});

const SAYS: [what: string, say: string, problem: RegExp][] = [
  [
    'an id outside the vocabulary',
    '[{ids: [151900]}]',
    /:5:5: turn 1: the tokenizer knows no token 151900$/m,
  ],
  ['half of a pair', '"\\ud83d"', /:5:5: turn 1: half of a surrogate pair cannot be tokenized$/m],
];

test.for(SAYS)('a scripted reply with %s is refused before it is recorded', async ([, say, problem]) => {
  const cwd = temporaryProject();
  const text = `name: tools/new\nabout: x\nexercises: [x]\nturns:\n  - user: Go on.\n    say: ${say}\n`;
  writeFileSync(join(cwd, 'scenarios/tools/new.yaml'), text);
  const book = readFileSync(join(cwd, 'goldens/codebook.json'), 'utf8');
  for (const args of [['record', '--reason', 'x'], ['run'], ['check']]) {
    const { exitCode, stderr } = await parity(args, { cwd });
    expect(stderr).toMatch(problem);
    expect(exitCode).toBe(2);
  }
  expect(readFileSync(join(cwd, 'goldens/codebook.json'), 'utf8')).toBe(book);
});
