import type { NormaliserCounts } from '../compare/judge.ts';
import { ITSELF, type JudgedRun, type JudgedScenario } from '../compare/judge-run.ts';
import type { Assertion } from '../compare/outcome.ts';
import { isOracles } from '../compare/own.ts';
import { groupFindings } from '../diagnose/group.ts';
import { FIELDS, type Field, projectionOf } from '../domain.ts';
import { EXIT } from '../errors.ts';
import { meanLogprob } from '../goldens/codec.ts';
import { summariseDifferences } from '../goldens/differences.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type {
  Finding,
  LaneResult,
  LogprobDifference,
  NormaliserUse,
  OracleTotals,
  Results,
  Run,
  Totals,
  Transcript,
  Waiver,
  WaiverUse,
} from '../schemas/types.ts';
import { findingsOf } from './findings.ts';

export interface ResultsInput {
  run: Run;
  judged: JudgedRun;
  folder: RunFolder;
  timings: Results['timings'];
}

/** Sums up a judged run: what was compared, what differs, and the exit code. Fails closed: nothing compared is not equal. */
export function buildResults({ run, judged, folder, timings }: ResultsInput): Results {
  const { scenarios } = judged;
  const findings = findingsOf(judged, folder, run);
  const totals = sumTotals(judged);
  const { status, message } = statusOf(run, findings, totals, missingTranscript(run, folder));
  const results: Results = {
    format: 1,
    status,
    exitCode: EXIT[status],
    lanes: run.lanes.map((lane) => laneResult(lane, scenarios)),
    totals,
    fields: FIELDS.map((field) => ({ field, turns: countField(scenarios, field) })),
    findings,
    groups: groupFindings(findings, turnSizes(scenarios)),
    normalisers: sumNormalisers(scenarios),
    differences: summariseDifferences(judged.differences),
    waivers: judged.waivers.map(waiverUse),
    notCovered: notCovered(run, scenarios),
    logprobs: scenarios.flatMap(logprobDifferences),
    timings,
  };
  if (message !== undefined) results.message = message;
  return results;
}

/** Ids of a finding's turn: the smallest example of a cause is the quickest to read. */
function turnSizes(judged: readonly JudgedScenario[]): (finding: Finding) => number {
  const sizes = new Map<string, number>();
  for (const { transcript } of judged) {
    for (const { turn, prompt_token_ids: prompt, generation_token_ids: generation } of transcript.turns) {
      const size = (prompt?.length ?? 0) + (generation?.length ?? 0);
      sizes.set(`${transcript.lane} ${transcript.scenario}:${turn}`, size);
    }
  }
  return ({ lane, scenario, turn }) => sizes.get(`${lane} ${scenario}:${turn}`) ?? 0;
}

function waiverUse({ lane, scenario, turn, field, owner, reason, link, expires }: Waiver): WaiverUse {
  return { lane, scenario, turn, field, owner, reason, link, expires };
}

function sumTotals({ scenarios, bookkeeping }: JudgedRun): Totals {
  const totals: Totals = {
    scenarios: scenarios.length,
    turns: 0,
    ids: 0,
    serverIds: 0,
    bytes: 0,
    assertions: bookkeeping.length,
  };
  const oracle: OracleTotals = { fields: 0, ids: 0, bytes: 0 };
  for (const { transcript, assertions } of scenarios) {
    totals.assertions += assertions.filter(isAsserted).length;
    totals.turns += transcript.turns.length;
    oracle.fields += oracleFields(transcript, assertions);
    for (const { field, outcome } of assertions) {
      if (outcome.status !== 'equal') continue;
      const own = isOracles(transcript, field);
      const sum = own ? oracle : totals;
      sum.ids += outcome.ids;
      sum.bytes += outcome.bytes;
      if (!own) totals.serverIds += outcome.serverIds;
    }
  }
  if (oracle.fields > 0) totals.oracle = oracle;
  return totals;
}

const oracleFields = (transcript: Transcript, assertions: readonly Assertion[]): number =>
  assertions.filter((entry) => isAsserted(entry) && isOracles(transcript, entry.field)).length;

/** A transcript that a lane should have written and that is not in the folder. */
function missingTranscript(run: Run, folder: RunFolder): string | undefined {
  for (const { lane, scenarios = run.scenarios } of run.lanes) {
    const lost = scenarios.find((name) => run.scenarios.includes(name) && !folder.hasTranscript(lane, name));
    if (lost !== undefined) return `lane ${lane}: the transcript of ${lost} is missing`;
  }
  return undefined;
}

function statusOf(
  run: Run,
  findings: readonly Finding[],
  totals: Totals,
  missing: string | undefined,
): Pick<Results, 'status' | 'message'> {
  const noAnswer = findings.find(({ verdict }) => verdict === 'LIFE');
  if (findings.some(({ verdict, followsFrom }) => verdict !== 'LIFE' && followsFrom === undefined)) {
    return { status: 'diverged' };
  }
  const lane = (state: Run['lanes'][number]['state']) => run.lanes.find((entry) => entry.state === state);
  const infra = lane('infra');
  if (infra) return { status: 'infra', message: `lane ${infra.lane}: ${infra.message ?? 'no answer'}` };
  if (noAnswer) return { status: 'infra', message: `lane ${noAnswer.lane}: ${noAnswer.summary}` };
  const lacking = lane('incomplete');
  if (lacking)
    return { status: 'incomplete', message: `lane ${lacking.lane}: ${lacking.message ?? 'incomplete'}` };
  if (missing !== undefined) return { status: 'incomplete', message: missing };
  if (totals.ids === 0) return { status: 'incomplete', message: 'nothing was compared' };
  if (run.options.against !== 'each-other') return { status: 'equal' };
  return {
    status: 'equal',
    message: 'the lanes give the same tokens and messages, listed differences apart',
  };
}

function countField(judged: readonly JudgedScenario[], field: Field): number {
  return judged.reduce(
    (sum, { assertions }) =>
      sum + assertions.filter((entry) => entry.field === field && entry.against !== ITSELF).length,
    0,
  );
}

function laneResult(lane: Run['lanes'][number], judged: readonly JudgedScenario[]): LaneResult {
  const own = judged.filter(({ transcript }) => transcript.lane === lane.lane);
  const result: LaneResult = {
    lane: lane.lane,
    server: lane.server,
    emulated: lane.emulated,
    state: lane.state,
    scenarios: own.length,
    turns: own.reduce((sum, { transcript }) => sum + transcript.turns.length, 0),
    assertions: own.reduce((sum, { assertions }) => sum + assertions.filter(isAsserted).length, 0),
  };
  if (lane.message !== undefined) result.message = lane.message;
  if (lane.projection !== undefined) {
    result.oracleFields = own.reduce(
      (sum, entry) => sum + oracleFields(entry.transcript, entry.assertions),
      0,
    );
  }
  return result;
}

/** What only follows from an earlier difference, or is waived, is not asserted. */
const isAsserted = ({ outcome }: Assertion): boolean =>
  outcome.status === 'equal' || outcome.status === 'differs';

function sumNormalisers(judged: readonly JudgedScenario[]): NormaliserUse[] {
  const names: (keyof NormaliserCounts)[] = ['tool_call_id', 'terminal_stop_id', 'reasoning_field_name'];
  return names.map((name) => ({
    name,
    version: 1,
    count: judged.reduce((sum, { normalisers }) => sum + normalisers[name], 0),
  }));
}

/** Lane against lane: scenarios that only one side plays. */
function unpaired(run: Run, judged: readonly JudgedScenario[]): string[] {
  if (run.options.against !== 'each-other') return [];
  const compared = new Set(
    judged
      .filter(({ assertions }) => assertions.some(({ against }) => against !== ITSELF))
      .map(({ scenario }) => scenario.name),
  );
  const single = run.scenarios.filter((name) => !compared.has(name));
  if (single.length === 0) return [];
  const some = single.slice(0, 3).join(', ') + (single.length > 3 ? ', …' : '');
  return [`${single.length} of ${run.scenarios.length} scenarios are compared with nothing: ${some}`];
}

function notCovered(run: Run, judged: readonly JudgedScenario[]): string[] {
  const emulated = run.lanes.filter((lane) => lane.emulated).map(({ lane }) => lane);
  const tokens = run.lanes.filter(({ projection }) => projection !== undefined).map(({ lane }) => lane);
  const alone = judged.find(({ assertions }) => assertions.some(({ against }) => against === ITSELF));
  return [
    ...(alone ? [`${alone.lane.lane}: the others are compared with it, it only with itself`] : []),
    ...unpaired(run, judged),
    ...(tokens.length > 0
      ? [
          `${tokens.join(', ')}: tokens in, tokens out; prompts, messages and calls are our own oracle's, no server made them`,
        ]
      : []),
    ...(emulated.length > 0
      ? [`${emulated.join(', ')}: emulated, so this run is no evidence about a real engine`]
      : []),
  ];
}

/** Changes of the mean log-prob below this are rounding, in nats. */
const LOGPROB_STEP = 1e-4;

function logprobDifferences({ golden, transcript }: JudgedScenario): LogprobDifference[] {
  if (golden?.context.server !== projectionOf(transcript)) return [];
  return golden.turns.flatMap(({ turn, mean_logprob: recorded }) => {
    const entry = transcript.turns[turn - 1];
    const mean = entry && meanLogprob(entry);
    if (recorded === undefined || mean === undefined || Math.abs(recorded - mean) < LOGPROB_STEP) return [];
    return [
      { lane: transcript.lane, scenario: transcript.scenario, turn, golden: recorded, lane_mean: mean },
    ];
  });
}
