import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nemoRlTrtllm, nemoRlVllm } from '../dialects/nemo-rl.ts';
import { parseJson } from '../json/parse.ts';
import { dumpsPython, printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { projectAt } from '../project.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import { execute, judgeFolder } from '../run/execute.ts';
import { type Plan, planRun } from '../run/plan.ts';
import type { Results, Transcript, TranscriptTurn } from '../schemas/types.ts';
import { REPOSITORY, temporaryFolder } from '../testing/cli.ts';

/*
 * What may differ between two sound answers must give no finding: 200 answers of two emulations, changed in what nobody
 * asserts. The two lanes differ by themselves in the name of the reasoning field and in whether the stop id is kept.
 */

const LANES = ['embedded-vllm', 'embedded-trtllm'];
const SCENARIOS = ['tools/weather', 'reasoning/on', 'tools/parallel-calls', 'tokens/log-probs'];
const RUNS = 200;
const NO_TIME: Results['timings'] = { launch_ms: 0, replay_ms: 0, compare_ms: 0, write_ms: 0, total_ms: 0 };

/** One harmless change, drawn by number so that a failing one can be played again. */
interface Variation {
  seed: number;
  shuffleKeys: boolean;
  extraFields: boolean;
  otherIds: boolean;
  blanks: boolean;
  slower: number;
}

const variations = fc.record<Variation>({
  seed: fc.nat(),
  shuffleKeys: fc.boolean(),
  extraFields: fc.boolean(),
  otherIds: fc.boolean(),
  blanks: fc.boolean(),
  slower: fc.nat(60_000),
});

/** Pseudo-random numbers below 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The answer's body with what nobody asserts changed at every level. */
function varied(value: Json, { shuffleKeys, extraFields, otherIds }: Variation, random: () => number): Json {
  const change = (item: Json, key = ''): Json => {
    if (Array.isArray(item)) return item.map((entry) => change(entry));
    if (otherIds && key === 'id') return `other-${Math.floor(random() * 1e9).toString(36)}`;
    if (otherIds && key === 'created') return new JsonNumber(String(Math.floor(random() * 2e9)));
    if (!isObject(item)) return item;
    const entries: [string, Json][] = [...item].map(([name, inner]) => [name, change(inner, name)]);
    if (extraFields) entries.push(['x_unknown', new JsonNumber('1')], ['service_tier', null]);
    if (shuffleKeys) entries.sort(() => random() - 0.5);
    return new Map(entries);
  };
  return change(value);
}

/** Duplicate keys would change meaning; a shuffled answer must still be the same one. */
const sameValue = (a: JsonObject, b: Json): boolean =>
  isObject(b) && [...a.keys()].every((key) => b.has(key));

function variedTurn(
  turn: TranscriptTurn,
  server: Transcript['server'],
  folder: RunFolder,
  variation: Variation,
): TranscriptTurn {
  const body = parseJson(readFileSync(join(folder.path, `${turn.exchange}.response.txt`), 'utf8'));
  const other = varied(body, variation, randomOf(variation.seed + turn.turn));
  if (!isObject(body) || !sameValue(body, other)) throw new Error('not a variation of the answer');
  const { reading } = (server === 'nemo-rl-vllm' ? nemoRlVllm : nemoRlTrtllm).read(
    200,
    variation.blanks ? dumpsPython(other) : printJson(other),
  );
  const { turn: number, exchange, max_tokens, sent, thinking, tools } = turn;
  const timings = { sent_ms: variation.slower, total_ms: variation.slower };
  return { turn: number, exchange, max_tokens, sent, thinking, tools, ...reading, timings };
}

async function recorded(): Promise<{ plan: Plan; folder: RunFolder; transcripts: Transcript[] }> {
  const plan = planRun(projectAt(REPOSITORY), { patterns: SCENARIOS, lanes: LANES, goldens: 'required' });
  const out = join(temporaryFolder(), 'run');
  const { folder, results } = await execute(plan, { out, continuation: 'own', command: [], suite: false });
  expect(results.findings).toEqual([]);
  const transcripts = LANES.flatMap((lane) => SCENARIOS.map((name) => folder.readTranscript(lane, name)));
  return { plan, folder, transcripts };
}

test(`${RUNS} harmless variations of sound answers give no finding, against goldens and lane against lane`, async () => {
  const { plan, folder, transcripts } = await recorded();
  const run = folder.readRun();
  let changed = 0;
  fc.assert(
    fc.property(variations, fc.nat(SCENARIOS.length - 1), fc.boolean(), (variation, pick, pairwise) => {
      const scenario = SCENARIOS[pick] ?? '';
      for (const original of transcripts.filter((entry) => entry.scenario === scenario)) {
        const turns = original.turns.map((turn) => variedTurn(turn, original.server, folder, variation));
        if (JSON.stringify(turns) !== JSON.stringify(original.turns)) changed++;
        folder.writeTranscript({ ...original, turns });
      }
      const narrowed = {
        ...run,
        scenarios: [scenario],
        options: { ...run.options, against: pairwise ? ('each-other' as const) : ('goldens' as const) },
      };
      const results = judgeFolder(plan, folder, NO_TIME, narrowed);
      expect(results.findings).toEqual([]);
      expect(results.status).toBe('equal');
    }),
    { numRuns: RUNS, seed: 7 },
  );
  expect(changed).toBeGreaterThan(RUNS);
});
