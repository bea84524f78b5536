import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReplayingServer } from '../embedded/replaying.ts';
import { loadRealFault, type RealFault, realFaultNames } from '../embedded/replaying-faults.ts';
import type { EmbeddedServer } from '../embedded/server.ts';
import type { Results, Transcript } from '../schemas/types.ts';
import { type CliResult, parity, REPOSITORY } from '../testing/cli.ts';

/*
 * Faults of real servers, met through servers that play their answers back (harness/embedded/real-faults/). Each must be
 * found at its turn, and said so that a stranger understands. Those that need no golden are met in one run, each by a lane
 * of its own, beside a sound emulation of vLLM's server.
 */

const FAULTS = realFaultNames().map(loadRealFault);
const MENDED = FAULTS.filter(({ mended }) => mended);
const COMPARED = FAULTS.filter(({ mended }) => !mended);

const project = mkdtempSync(join(tmpdir(), 'parity-faults-'));
const servers: EmbeddedServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(project, { recursive: true, force: true });
});

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A lane that plays a fault's scenario alone, on a server of the fault's kind. */
function writeLane(folder: string, lane: string, { name, server, parsers }: RealFault, where: string): void {
  const lines = [
    `name: ${lane}`,
    `server: ${server}`,
    'model: { name: teleprompter-256, teleprompter: { lag: 256 } }',
    where,
    `parsers: { tool: ${parsers.tool}, reasoning: ${parsers.reasoning} }`,
    `eos: ${server === 'nemo-rl-trtllm' ? 'trimmed' : 'kept'}`,
    `scenarios: [faults/${name}]`,
  ];
  write(folder, `ci/lanes/${lane}.yaml`, lines.join('\n'));
}

/** A lane of the fault's name, attached to a server that plays these answers. */
async function attach(folder: string, fault: RealFault, answers: RealFault['answers']): Promise<void> {
  const replaying = await startReplayingServer({ server: fault.server, answers });
  servers.push(replaying);
  writeLane(folder, fault.name, fault, `attach: { url: "${replaying.url}" }`);
}

/** The emulation of a fault's server, asked the same; it streams only when asked to. */
const TWINS = COMPARED.filter(({ name }) => name !== 'stream-instead-of-answer');
const twinOf = (name: string): string => `${name}-emulated`;

/** One codebook, and one list of differences, of the projects of several faults. */
function merged(faults: readonly RealFault[]): Record<string, string> {
  const texts = (path: string) => faults.flatMap((fault) => fault.project[path] ?? []);
  const books = texts('goldens/codebook.json').map((text) => JSON.parse(text));
  const entries = new Map(books.flatMap((book) => book.entries as [number, string][]));
  const differences = texts('goldens/differences.yaml').map((text) => text.replace('differences:\n', ''));
  return {
    ...Object.assign({}, ...faults.map((fault) => fault.project)),
    'goldens/codebook.json': JSON.stringify({ filler: books[0]?.filler, entries: [...entries] }),
    'goldens/differences.yaml': `differences:\n${differences.join('')}`,
  };
}

let run: CliResult;
let results: Results;
beforeAll(async () => {
  for (const [path, text] of Object.entries(merged(COMPARED))) write(project, path, text);
  for (const fault of COMPARED) await attach(project, fault, fault.answers);
  for (const fault of TWINS) writeLane(project, twinOf(fault.name), fault, 'embedded: {}');
  cpSync(join(REPOSITORY, 'ci/lanes/embedded-vllm.yaml'), join(project, 'ci/lanes/embedded-vllm.yaml'));
  const replayed = COMPARED.map(({ name }) => name);
  const lanes = ['embedded-vllm', ...replayed, ...TWINS.map(({ name }) => twinOf(name))];
  run = await parity(['run', '--lane', lanes.join(','), '--against', 'each-other', '--out', 'run'], {
    cwd: project,
  });
  // Anything else than a judged run would leave nothing to look at.
  if (run.exitCode > 1) throw new Error(run.stderr || run.stdout);
  results = JSON.parse(readFileSync(join(project, 'run/results.json'), 'utf8'));
});

/** The block in the terminal of the finding about the lane that replays a fault. */
const blockIn = (stdout: string, name: string): string =>
  stdout
    .split('\n\n')
    .find((block) => block.startsWith(`FAIL faults/${name} `) && block.includes(` ${name} vs `)) ?? stdout;

/** `turn field` of every finding; those that only follow from an earlier one in brackets. */
const findingsOf = (findings: Results['findings']): string[] =>
  findings.map(({ scenario, turn, field, followsFrom }) =>
    followsFrom === undefined ? `${scenario}:${turn} ${field}` : `(${scenario}:${turn} ${field})`,
  );

test('every fault that needs no golden is found at its turn and in its field, and nothing else is', () => {
  expect(run.exitCode).toBe(1);
  const replaying = COMPARED.map(({ name }) => name);
  expect(findingsOf(results.findings.filter(({ lane }) => replaying.includes(lane)))).toMatchInlineSnapshot(`
    [
      "faults/bad-call-lost-beside-good:1 tool_calls",
      "(faults/bad-call-lost-beside-good:1 content)",
      "(faults/bad-call-lost-beside-good:1 finish_reason)",
      "faults/call-in-reasoning:1 reasoning",
      "(faults/call-in-reasoning:1 tool_calls)",
      "(faults/call-in-reasoning:1 content)",
      "(faults/call-in-reasoning:1 finish_reason)",
      "faults/message-vanishes:2 messages",
      "faults/nan-in-arguments:1 tool_calls",
      "faults/own-reply-refused:2 http_status",
      "faults/stream-instead-of-answer:1 http_status",
      "faults/text-lost-between-calls:1 expect",
    ]
  `);
});

test.for(TWINS.map(({ name }) => name))('%s: the emulation, asked the same, answers the same', (name) => {
  const of = (wanted: string) => results.findings.filter(({ lane }) => lane === wanted);
  expect(findingsOf(of(twinOf(name)))).toEqual(findingsOf(of(name)));
  expect(turnsOf(twinOf(name), name)).toEqual(turnsOf(name, name));
});

/** What a lane answered, without what no two answers share. */
function turnsOf(lane: string, name: string): unknown[] {
  const path = join(project, `run/transcripts/${lane}/faults/${name}.json`);
  const { turns }: Transcript = JSON.parse(readFileSync(path, 'utf8'));
  return turns.map(({ exchange, timings, logprobs, tool_calls: calls, ...turn }) => ({
    ...turn,
    calls: calls?.map(({ name: called, arguments: text }) => [called, text]),
  }));
}

test('a message that both servers lose alike is found by looking for it in the prompt', () => {
  expect(blockIn(run.stdout, 'message-vanishes')).toMatchInlineSnapshot(`
    "FAIL faults/message-vanishes  turn 2  messages   message-vanishes vs embedded-vllm
      SPLICE  message-vanishes deviates: the user message of this turn vanished from the prompt
            (message-vanished)
      scenarios/faults/message-vanishes.yaml:10:5
      the user message "Go on.\\n\\n龀龠鲒卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤…" is not in the
      prompt
      expected  "Go on.\\n\\n龀龠鲒卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤卤…"
      actual    null
      - carried are 286 ids
      next: parity explain run faults/message-vanishes:2 --field messages"
  `);
});

test('a conversation in which a message vanishes cannot become a golden', async () => {
  const args = ['record', 'faults/message-vanishes', '--lane', 'embedded-vllm', '--reason', 'none'];
  const { exitCode, stderr } = await parity(args, { cwd: project });
  expect(stderr).toMatch(/^refused faults\/message-vanishes: .*\n {2}turn 2 messages: the user message/m);
  expect(exitCode).toBe(1);
});

test('a reply that its own server refuses is shown with what the server says', () => {
  expect(blockIn(run.stdout, 'own-reply-refused')).toMatchInlineSnapshot(`
    "FAIL faults/own-reply-refused  turn 2  http_status   own-reply-refused vs embedded-vllm
      ERR  own-reply-refused deviates: the server refuses a history that holds its own reply
            (own-reply-refused)
      scenarios/faults/own-reply-refused.yaml:20:5
      status 400: {"error":"tool_calls[0].function.arguments must be a JSON object."}
      expected  200
      actual    400
      - status 400: "{"error":"tool_calls[0].function.arguments must be a JSON object."}"
      - turn 1 answered with a call of get_weather whose arguments are "null"
      next: parity explain run faults/own-reply-refused:2 --field http_status"
  `);
});

test('a bad call that is lost beside a good one is found in the calls; the lost text follows', () => {
  expect(blockIn(run.stdout, 'bad-call-lost-beside-good')).toMatchInlineSnapshot(`
    "FAIL faults/bad-call-lost-beside-good  turn 1  tool_calls   bad-call-lost-beside-good vs embedded-vllm
      TOOL  each does what its server kind does: block 2 of 2 is no call and is skipped; the others
            count (bad-block-among-good)
      scenarios/faults/bad-call-lost-beside-good.yaml:15:5
      no \`tool_calls\` key expected, 1 call (get_weather) came
      expected  null
      actual    [{"name":"get_weather","arguments":"{\\"city\\": \\"Oslo\\", \\"days\\": 2}"}]
      - block 2: "\\n{"name": oops}\\n"
      - calls: none against get_weather
      local oracle (shares code with the emulation) agrees with: the lane
      next: parity explain run faults/bad-call-lost-beside-good:1 --field tool_calls"
  `);
});

test('text that both servers lose between calls is missed where the scenario expects it', () => {
  expect(blockIn(run.stdout, 'text-lost-between-calls')).toMatchInlineSnapshot(`
    "FAIL faults/text-lost-between-calls  turn 1  expect   text-lost-between-calls vs embedded-vllm
      TOOL  text-lost-between-calls deviates: text beside a call is missing from the content: "and also"
            (content-dropped-beside-call)
      scenarios/faults/text-lost-between-calls.yaml:15:5
      the scenario expects content_includes ["and also"], found []
      expected  {"content_includes":["and also"]}
      actual    {"content_includes":[]}
      - generated: "<tool_call>\\n{"name": "get_weather", "arguments": {"city": "O…"
      - content: ""
      next: parity explain run faults/text-lost-between-calls:1 --field expect"
  `);
});

test('NaN in arguments, which both servers let pass, is named as no JSON', () => {
  expect(blockIn(run.stdout, 'nan-in-arguments')).toMatchInlineSnapshot(`
    "FAIL faults/nan-in-arguments  turn 1  tool_calls   nan-in-arguments vs embedded-vllm
      SER  nan-in-arguments deviates: arguments of call 1 (get_weather) are no JSON (arguments-no-json)
      scenarios/faults/nan-in-arguments.yaml:15:5
      arguments of call 1 (get_weather) are no JSON: NaN at character 6
      expected  "JSON"
      actual    "{"x": NaN, "y": Infinity}"
      - arguments: "{"x": NaN, "y": Infinity}"
      - against the schema: does not fit: $ must have required property 'city'
      next: parity explain run faults/nan-in-arguments:1 --field tool_calls"
  `);
});

test('a stream that comes instead of an answer is unreadable, not an answer without ids', () => {
  expect(blockIn(run.stdout, 'stream-instead-of-answer')).toMatchInlineSnapshot(`
    "FAIL faults/stream-instead-of-answer  turn 1  http_status   stream-instead-of-answer vs embedded-vllm
      ERR  stream-instead-of-answer deviates: a stream of events came, though none was asked for
            (stream-instead)
      scenarios/faults/stream-instead-of-answer.yaml:7:5
      status 200: a stream of events came, though none was asked for
      expected  200
      actual    200
      - status 200: "a stream of events came, though none was asked for"
      next: parity explain run faults/stream-instead-of-answer:1 --field http_status"
  `);
  const path = 'run/transcripts/stream-instead-of-answer/faults/stream-instead-of-answer.json';
  const { turns } = JSON.parse(readFileSync(join(project, path), 'utf8'));
  expect(turns).toMatchObject([{ outcome: 'unreadable', http_status: 200 }]);
});

test('a call that ends up in the reasoning is shown there', () => {
  expect(blockIn(run.stdout, 'call-in-reasoning')).toMatchInlineSnapshot(`
    "FAIL faults/call-in-reasoning  turn 1  reasoning   call-in-reasoning vs embedded-vllm
      REAS  each does what its server kind does: a generated call ends up in the reasoning and is not
            parsed (call-in-reasoning)
      scenarios/faults/call-in-reasoning.yaml:16:5
      a generated call ends up in the reasoning and is not parsed: null expected, text of 90 characters
      came
      expected  null
      actual    "<tool_call>\\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\\n</"…
      - reasoning: "<tool_call>\\n{"name": "get_weather", "arguments": {"city": "O…"
      local oracle (shares code with the emulation) agrees with: the lane
      next: parity explain run faults/call-in-reasoning:1 --field reasoning"
  `);
});

test('a closing tag that is deleted from an argument is shown beside what the golden has', async () => {
  const [fault] = MENDED;
  if (!fault?.mended || MENDED.length > 1) throw new Error('one fault has mended answers');
  const cwd = join(project, 'mended');
  for (const [path, text] of Object.entries(fault.project)) write(cwd, path, text);
  await attach(cwd, fault, fault.mended);
  const recorded = await parity(['record', '--lane', fault.name, '--reason', 'mended'], { cwd });
  expect(recorded).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 written') });
  await attach(cwd, fault, fault.answers);
  const { exitCode, stdout } = await parity(['run', '--lane', fault.name, '--out', 'run'], { cwd });
  expect(blockIn(stdout, fault.name)).toMatchInlineSnapshot(`
    "FAIL faults/closing-tag-deleted  turn 1  tool_calls   closing-tag-deleted vs golden
      REAS  the golden deviates: against it, </think> is deleted from the arguments of call 1
            (marker-deleted)
      scenarios/faults/closing-tag-deleted.yaml:23:5
      arguments of call 1 (run_bash): first difference at character 46: "</think>\\\\nX\\"" expected,
      "\\\\nX\\"}" came
      expected  …"and": "echo \\"<tool_call>\\" && cat <<X\\n</think>\\nX"}"
      actual    …"and": "echo \\"<tool_call>\\" && cat <<X\\n\\nX"}"
      - expected: "{"command": "echo \\"<tool_call>\\" && cat <<X\\n</think>\\nX"}"
      - lane: "{"command": "echo \\"<tool_call>\\" && cat <<X\\n\\nX"}"
      local oracle agrees with: the lane
      next: parity explain run faults/closing-tag-deleted:1 --field tool_calls"
  `);
  expect(exitCode).toBe(1);
  expect(findingsOf(JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8')).findings)).toEqual([
    'faults/closing-tag-deleted:1 tool_calls',
  ]);
});
