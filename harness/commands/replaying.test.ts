import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startReplayingServer } from '../embedded/replaying.ts';
import { loadRealFault, type RealFault, realFaultNames } from '../embedded/replaying-faults.ts';
import { parity, REPOSITORY, temporaryFolder } from '../testing/cli.ts';

/*
 * Faults of real servers, met through a server that plays their answers back (harness/embedded/real-faults/). Each must be
 * found at its turn, and said so that a stranger understands.
 */

const met = new Set<string>();
afterAll(() => expect([...met].sort()).toEqual(realFaultNames().sort()));

interface Finding {
  scenario: string;
  turn: number;
  field: string;
  followsFrom?: string;
}

interface Met {
  exitCode: number;
  /** `turn field` of every finding, those that only follow from an earlier one in brackets. */
  findings: string[];
  /** The first finding as the terminal shows it. */
  block: string;
}

async function play(fault: RealFault, answers: RealFault['answers'], cwd: string, ...args: string[]) {
  const server = await startReplayingServer({ server: fault.server, answers });
  onTestFinished(() => server.close());
  return parity(args, { cwd, env: { PARITY_REPLAYED_URL: server.url } });
}

/** A project with the fault's scenario, a sound emulated lane, and a lane attached to the replaying server. */
function projectOf({ name, server, parsers, project }: RealFault): string {
  met.add(name);
  const folder = temporaryFolder();
  const eos = server === 'nemo-rl-trtllm' ? 'trimmed' : 'kept';
  const lane = [
    'name: replayed',
    `server: ${server}`,
    'model: { name: teleprompter-256, teleprompter: { lag: 256 } }',
    `attach: { url: "\${PARITY_REPLAYED_URL}" }`,
    `parsers: { tool: ${parsers.tool}, reasoning: ${parsers.reasoning} }`,
    `eos: ${eos}`,
  ].join('\n');
  for (const [path, text] of Object.entries({ ...project, 'ci/lanes/replayed.yaml': lane })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  cpSync(join(REPOSITORY, 'ci/lanes/embedded-vllm.yaml'), join(folder, 'ci/lanes/embedded-vllm.yaml'));
  return folder;
}

function metIn(cwd: string, { exitCode, stdout }: { exitCode: number; stdout: string }): Met {
  const results = JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'));
  const findings = (results.findings as Finding[]).map(({ turn, field, followsFrom }) =>
    followsFrom === undefined ? `${turn} ${field}` : `(${turn} ${field})`,
  );
  const from = stdout.indexOf('FAIL ');
  return {
    exitCode,
    findings,
    block: from === -1 ? stdout : stdout.slice(from, stdout.indexOf('\n\n', from)),
  };
}

/** The replayed lane compared with the sound emulation of vLLM's server; no golden is needed. */
async function compared(name: string): Promise<Met> {
  const fault = loadRealFault(name);
  const cwd = projectOf(fault);
  const args = ['run', '--lane', 'embedded-vllm,replayed', '--against', 'each-other', '--out', 'run'];
  return metIn(cwd, await play(fault, fault.answers, cwd, ...args));
}

/** The replayed lane against a golden that was recorded before: from mended answers, or from the emulation. */
async function againstGolden(name: string): Promise<Met> {
  const fault = loadRealFault(name);
  const cwd = projectOf(fault);
  const lane = fault.mended ? 'replayed' : 'embedded-vllm';
  const recorded = await play(fault, fault.mended ?? [], cwd, 'record', '--lane', lane, '--reason', 'sound');
  expect(recorded).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 written') });
  return metIn(cwd, await play(fault, fault.answers, cwd, 'run', '--lane', 'replayed', '--out', 'run'));
}

test('a message that vanishes, which both servers lose alike, is found without a golden', async () => {
  const { exitCode, findings, block } = await compared('message-vanishes');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({ exitCode: 1, findings: ['2 messages'] });
});

test('a conversation in which a message vanishes cannot become a golden', async () => {
  const cwd = projectOf(loadRealFault('message-vanishes'));
  const { exitCode, stderr } = await parity(['record', '--lane', 'embedded-vllm', '--reason', 'r'], { cwd });
  expect(stderr).toMatch(/^refused faults\/message-vanishes: .*\n {2}turn 2 messages: the user message/m);
  expect(exitCode).toBe(1);
});

test('a reply that its own server refuses is a divergence at the next turn, with what the server says', async () => {
  const { exitCode, findings, block } = await compared('own-reply-refused');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({ exitCode: 1, findings: ['2 http_status'] });
});

test('a bad call that is lost beside a good one is found in the calls and in the text', async () => {
  const { exitCode, findings, block } = await compared('bad-call-lost-beside-good');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({
    exitCode: 1,
    findings: ['1 tool_calls', '(1 content)', '(1 finish_reason)'],
  });
});

test('text that both servers lose between calls is missed where the scenario expects it', async () => {
  const { exitCode, findings, block } = await compared('text-lost-between-calls');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({ exitCode: 1, findings: ['1 expect'] });
});

test('NaN in arguments, which both servers let pass, is named as no JSON', async () => {
  const { exitCode, findings, block } = await compared('nan-in-arguments');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({ exitCode: 1, findings: ['1 tool_calls'] });
});

test('a closing tag that is deleted from an argument is shown beside what the golden has', async () => {
  const { exitCode, findings, block } = await againstGolden('closing-tag-deleted');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({ exitCode: 1, findings: ['1 tool_calls'] });
});

test('a stream that comes instead of an answer is named as unreadable', async () => {
  const { exitCode, findings, block } = await againstGolden('stream-instead-of-answer');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({ exitCode: 1, findings: ['1 http_status'] });
});

test('a call that ends up in the reasoning is shown there', async () => {
  const { exitCode, findings, block } = await compared('call-in-reasoning');
  expect(block).toMatchInlineSnapshot();
  expect({ exitCode, findings }).toEqual({
    exitCode: 1,
    findings: ['1 reasoning', '(1 tool_calls)', '(1 content)', '(1 finish_reason)'],
  });
});
