import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa, execaSync } from 'execa';
import { Pool } from 'undici';
import { compareIds, compareTexts } from '../compare/difference.ts';
import { judge } from '../compare/judge.ts';
import { expectedOf } from '../compare/judge-run.ts';
import { diagnose } from '../diagnose/diagnose.ts';
import { parseJson } from '../json/parse.ts';
import type { Json, JsonObject } from '../json/value.ts';
import { projectAt } from '../project.ts';
import { ChatClient } from '../replay/client.ts';
import { replay } from '../replay/replay.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { findingBlock } from '../report/finding.ts';
import { type Plan, planRun } from '../run/plan.ts';
import { playLane } from '../run/play.ts';
import type { ProjectedMessage, TranscriptTurn } from '../schemas/types.ts';

/** `npm run bench`: what the harness costs beside what it calls. Prints JSON; ratios count, milliseconds are this machine's. */
const ROUNDS = 30;
const SCENARIO = 'basics/twelve-turns';

const folder = mkdtempSync(join(tmpdir(), 'parity-bench-'));
try {
  const plan = planRun(projectAt(), { patterns: [SCENARIO], lanes: ['embedded-vllm'], goldens: 'required' });
  const report = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, node ${process.version}`,
    ...(await perTurn(plan)),
    ...startUp(),
    ...worstCase(plan),
    ...diagnoses(plan),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One turn through the harness (build, send, read, keep, write, judge) against the same bytes through bare undici. */
async function perTurn(plan: Plan) {
  const [lane] = plan.lanes;
  const [planned] = lane?.scenarios ?? [];
  if (!lane || !planned?.golden) throw new Error('nothing to measure');
  const run = new RunFolder(folder);
  const options = { project: plan.project, oracle: plan.oracle, folder: run, continuation: 'own' as const };
  const { transcripts } = await playLane(lane, options);
  const turns = transcripts[0]?.turns.length ?? 0;
  const exchanges = join(folder, 'exchanges', lane.loaded.lane.name, SCENARIO);
  const requests = Array.from({ length: turns }, (_, index) =>
    readFileSync(join(exchanges, `${index + 1}.request.json`)),
  );

  const server = execa(process.execPath, [fileURLToPath(new URL('server.ts', import.meta.url)), exchanges]);
  const url = await firstLine(server);
  const pool = new Pool(url, { connections: 1 });
  const client = new ChatClient(url);
  const expected = expectedOf(planned.golden, lane.loaded.lane.server, '');
  const bare: number[] = [];
  const harness: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bareAt = performance.now();
    for (const body of requests) {
      const response = await pool.request({ method: 'POST', path: lane.dialect.path, body });
      await response.body.json();
    }
    bare.push((performance.now() - bareAt) / turns);
    const harnessAt = performance.now();
    const transcript = await replay({
      lane: lane.loaded.lane,
      emulated: true,
      dialect: lane.dialect,
      client,
      scenario: planned.scenario,
      texts: planned.texts,
      history: lane.history,
      continuation: 'own',
      folder: run,
    });
    run.writeTranscript(transcript);
    await run.flush();
    const { assertions } = judge({
      transcript,
      expected,
      scenario: planned.scenario.document,
      oracle: plan.oracle,
    });
    harness.push((performance.now() - harnessAt) / turns);
    if (assertions.some(({ outcome }) => outcome.status !== 'equal'))
      throw new Error('the replayed run is not equal');
  }
  await pool.destroy();
  await client.close();
  server.kill();
  await server.catch(() => {});
  return {
    turns,
    bare_undici_ms_per_turn: summary(bare),
    harness_ms_per_turn: summary(harness),
    overhead_ratio: round((median(harness) - median(bare)) / median(bare)),
    target_overhead_ratio: 3,
  };
}

/** The first line a child prints. */
function firstLine(child: ReturnType<typeof execa>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.catch(reject);
  });
}

/** CPU time of `--help` above a bare node. */
function startUp() {
  const cpu = (args: string[]): number => median(Array.from({ length: 9 }, () => cpuOf(args)));
  const bare = cpu(['-e', '0']);
  const help = cpu([fileURLToPath(new URL('../cli.ts', import.meta.url)), '--help']);
  return { help_cpu_ms_above_node: round(help - bare), target_help_ms: 200 };
}

/** User and system time of one child, in milliseconds, as it counts them itself when it exits. */
function cpuOf(args: string[]): number {
  const script =
    'process.on("exit",()=>{const u=process.resourceUsage();process.stderr.write("cpu "+(u.userCPUTime+u.systemCPUTime))})';
  const { stderr } = execaSync(process.execPath, ['--import', `data:text/javascript,${script}`, ...args]);
  return Number(/cpu (\d+)/.exec(stderr)?.[1] ?? Number.NaN) / 1000;
}

/** Rendering a failure of 5,000 ids that differ everywhere, and of a long text. */
function worstCase({ oracle }: Plan) {
  const expected = Array.from({ length: 5000 }, (_, index) => (index * 7919) % 150000);
  const actual = expected.map((id) => id + 1);
  const base = { lane: 'x', scenario: 'x', turn: 1, reference: 'unknown', verdict: 'UNKNOWN' } as const;
  const decode = (ids: number[]): string => oracle.tokenizer.decode(ids);
  const times = Array.from({ length: 9 }, () => {
    const at = performance.now();
    const ids = compareIds(expected, actual);
    const texts = compareTexts('a'.repeat(100_000), `${'a'.repeat(99_999)}b`);
    for (const difference of [ids, texts]) {
      if (difference) findingBlock({ ...base, ...difference, field: 'generation_token_ids' }, decode, 'last');
    }
    return performance.now() - at;
  });
  return { render_5000_different_ids_ms: round(median(times)), target_render_ms: 20 };
}

/** Diagnosing a turn of 5,000 ids that differ everywhere, less what rendering and tokenizing its request once takes. */
function diagnoses({ oracle }: Plan) {
  const words = Array.from({ length: 4980 }, (_, index) => ['red', 'green', 'blue', 'grey'][index % 4]).join(
    ' ',
  );
  const request: JsonObject = new Map<string, Json>([
    [
      'messages',
      [
        new Map([
          ['role', 'user'],
          ['content', words],
        ]),
      ],
    ],
    ['tools', [parseJson('{"type": "function", "function": {"name": "f", "parameters": {}}}')]],
  ]);
  const prompt = oracle.promptIds('nemo-rl-vllm', request) ?? [];
  const other = (ids: readonly number[]): number[] => ids.map((id) => (id + 1) % 150_000);
  const ids = oracle.tokenizer.encode(words);
  const turn: TranscriptTurn = {
    turn: 1,
    exchange: '',
    outcome: 'answered',
    max_tokens: 10_000,
    sent: [],
    thinking: true,
    tools: true,
    prompt_token_ids: other(prompt),
    generation_token_ids: other(ids),
    content: words,
    timings: { sent_ms: 0, total_ms: 0 },
  };
  const message: ProjectedMessage = { content: words.toUpperCase(), finish_reason: 'stop' };
  const timeOf = (work: () => void): number => {
    const at = performance.now();
    work();
    return performance.now() - at;
  };
  const medianOf = (work: () => void): number => median(Array.from({ length: 9 }, () => timeOf(work)));
  const tokenizing = medianOf(() => oracle.promptIds('nemo-rl-vllm', request));
  const fields = ['prompt_token_ids', 'generation_token_ids', 'content'] as const;
  const each = fields.map((field) => {
    const ms = medianOf(() => {
      diagnose({
        field,
        difference: { index: 0, expected: null, actual: null, summary: '' },
        selfMade: false,
        speaker: { server: 'nemo-rl-vllm', parsers: { tool: 'hermes', reasoning: 'qwen3' } },
        eos: 'kept',
        history: 'spliced',
        turn,
        earlier: [],
        core: { prompt, generation: ids, stop: null },
        message,
        request,
        other: undefined,
        script: ids,
        oracle,
      });
    });
    return [field, round(ms)] as const;
  });
  const slowest = Math.max(...each.map(([, ms]) => ms));
  return {
    diagnose_ids: prompt.length,
    diagnose_ms: Object.fromEntries(each),
    tokenize_once_ms: round(tokenizing),
    diagnose_beyond_tokenizing_ms: round(slowest - tokenizing),
    target_diagnose_ms: 20,
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function summary(values: number[]) {
  return { min: round(Math.min(...values)), median: round(median(values)), max: round(Math.max(...values)) };
}
