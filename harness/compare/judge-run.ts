import { type DialectName, projectionOf } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import { isFinishReason, projectMessage, splitStop, unfoldCore } from '../goldens/codec.ts';
import { auditProjections, type DifferenceList, type Listed, translate } from '../goldens/differences.ts';
import { requireIdentity } from '../goldens/load.ts';
import type { GoldenStore } from '../goldens/store.ts';
import type { WaiverList } from '../goldens/waivers.ts';
import { Oracle } from '../oracle/oracle.ts';
import { ChatTemplate } from '../oracle/template.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import { requireLane } from '../replay/whole.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Golden, Run, RunLane, Transcript, TranscriptTurn, Waiver } from '../schemas/types.ts';
import { auditAssertions, staleAssertion, waiverAssertion } from './bookkeeping.ts';
import { compareEnvironments, followEnvironment } from './environment.ts';
import { type Expected, type Judgement, judge } from './judge.ts';
import type { Assertion } from './outcome.ts';
import { waive } from './waive.ts';

/** One scenario of one lane of a run, judged. */
export interface JudgedScenario extends Judgement {
  lane: RunLane;
  oracle: Oracle;
  scenario: LoadedScenario;
  transcript: Transcript;
  expected: Expected;
  /** Absent when the lane was compared with another lane. */
  golden?: Golden;
}

export interface JudgedRun {
  scenarios: JudgedScenario[];
  /** Checks of what the run rests on: unlisted or stale differences, unused waivers. */
  bookkeeping: Assertion[];
  /** Listed differences that the run rests on. */
  differences: Listed[];
  waivers: Waiver[];
}

export interface JudgeRunInput {
  folder: RunFolder;
  run: Run;
  scenarios: readonly LoadedScenario[];
  store: GoldenStore;
  differences: DifferenceList;
  waivers: WaiverList;
  oracle: Oracle;
}

/** Judges every transcript of a run folder, against the goldens or lane against lane, in lane and scenario order. */
export function judgeRun(input: JudgeRunInput): JudgedRun {
  const { run, waivers } = input;
  const oracles = new Map(run.lanes.map((lane) => [lane.lane, laneOracle(lane, input)]));
  const each =
    run.options.against === 'each-other' ? judgePairs(input, oracles) : judgeGoldens(input, oracles);
  const used = new Set<Waiver>();
  const scenarios = each.scenarios.map((judged) => waive(judged, waivers, used));
  const played = (lane: string, scenario: string): boolean =>
    scenarios.some(({ transcript }) => transcript.lane === lane && transcript.scenario === scenario);
  return {
    scenarios,
    bookkeeping: [...each.bookkeeping, ...waivers.unused(used, played).map(waiverAssertion)],
    differences: each.differences,
    waivers: [...used],
  };
}

type Oracles = ReadonlyMap<string, Oracle>;

/** The oracle with the chat template that a lane was played with. Throws when the run folder does not have it. */
function laneOracle({ lane, template }: RunLane, { oracle, folder }: JudgeRunInput): Oracle {
  if (template === oracle.template.hash) return oracle;
  const source = folder.readTemplate(template);
  const own = source === undefined ? undefined : templateIn(source);
  if (own?.hash === template) return new Oracle(oracle.tokenizer, own);
  throw new InvalidError(`the chat template of lane ${lane} is not in the run folder`, {
    where: folder.path,
  });
}

/** A file that is no template is like none. */
function templateIn(source: string): ChatTemplate | undefined {
  try {
    return new ChatTemplate(source);
  } catch {
    return undefined;
  }
}

type Judged = Pick<JudgedRun, 'scenarios' | 'bookkeeping' | 'differences'>;

function judgeGoldens(input: JudgeRunInput, oracles: Oracles): Judged {
  const audited = new Map<string, Golden>();
  const scenarios = input.run.lanes.flatMap((lane) =>
    played(input, lane).map(({ scenario, transcript }): JudgedScenario => {
      const key = { model: transcript.model, history: transcript.history, scenario: scenario.name };
      const file = input.store.file(key);
      const golden = audited.get(file) ?? input.store.load(key);
      requireIdentity(golden, scenario, oracles.get(lane.lane) ?? input.oracle, file);
      audited.set(file, golden);
      const expected = expectedOf(golden, projectionOf(transcript), file);
      const oracle = oracles.get(lane.lane) ?? input.oracle;
      const judgement = judge({ transcript, expected, scenario: scenario.document, oracle });
      return { lane, oracle, scenario, transcript, golden, expected, ...judgement };
    }),
  );
  const audits = [...audited.values()].map((golden) => auditProjections(golden, input.differences));
  return {
    scenarios,
    bookkeeping: audits.flatMap(auditAssertions),
    differences: audits.flatMap(({ used }) => used),
  };
}

/** What a reference lane is judged against: the invariants alone. */
export const ITSELF = 'itself';
const NOTHING: Expected = { core: [], messages: undefined };

/** Every other lane against the first one that keeps the terminal stop id; no golden is read. */
function judgePairs(input: JudgeRunInput, oracles: Oracles): Judged {
  const { lanes } = input.run;
  const reference = lanes.find(({ eos }) => eos === 'kept') ?? lanes[0];
  const out: Judged = { scenarios: [], bookkeeping: [], differences: [] };
  if (!reference) return out;
  const references = played(input, reference);
  const first = new Map(references.map((entry) => [entry.scenario.name, entry.transcript]));
  // The reference has nothing to be compared with, but its refusals and contradictions count.
  for (const { scenario, transcript } of references) {
    const oracle = oracles.get(reference.lane) ?? input.oracle;
    const judgement = judge({
      transcript,
      expected: undefined,
      scenario: scenario.document,
      oracle,
      against: ITSELF,
    });
    out.scenarios.push({ lane: reference, oracle, scenario, transcript, expected: NOTHING, ...judgement });
  }
  for (const lane of lanes.filter((other) => other !== reference)) {
    const used: Listed[] = [];
    const environment = compareEnvironments(reference, lane, input.run.scenarios[0] ?? '');
    out.bookkeeping.push(...environment);
    for (const { scenario, transcript } of played(input, lane)) {
      const other = first.get(scenario.name);
      // A reference that died is infrastructure, which its lane's state says: no mismatch of this one.
      if (!other || other.turns.some(({ outcome }) => outcome === 'no_answer')) continue;
      const expected = expectedFromLane(other, projectionOf(transcript), input.differences, used);
      const against = reference.lane;
      const oracle = oracles.get(lane.lane) ?? input.oracle;
      const judgement = judge({
        transcript,
        expected,
        scenario: scenario.document,
        oracle,
        against,
      });
      const judged = followEnvironment(judgement, environment);
      out.scenarios.push({ lane, oracle, scenario, transcript, expected, ...judged });
      out.bookkeeping.push(...stalePairs(input.differences, other, transcript, used));
    }
    out.differences.push(...used);
  }
  return out;
}

function expectedFromLane(from: Transcript, to: DialectName, list: DifferenceList, used: Listed[]): Expected {
  const usable = from.turns.map((turn) => (isUsable(turn) ? turn : undefined));
  return {
    core: usable.map(
      (turn) =>
        turn && {
          prompt: turn.prompt_token_ids,
          ...splitStop(turn.generation_token_ids, turn.finish_reason, turn.max_tokens),
        },
    ),
    messages: usable.map((turn) => {
      if (!turn) return undefined;
      const place = { scenario: from.scenario, turn: turn.turn, history: from.history };
      const translated = translate(
        place,
        { dialect: projectionOf(from), message: projectMessage(turn) },
        to,
        list,
      );
      used.push(...translated.used);
      return translated.message;
    }),
  };
}

type Usable = TranscriptTurn & Required<Pick<TranscriptTurn, 'prompt_token_ids' | 'generation_token_ids'>>;

/** An answer that another can be held against: it has its ids and a finish reason that exists. */
const isUsable = (turn: TranscriptTurn): turn is Usable =>
  turn.outcome === 'answered' &&
  turn.prompt_token_ids !== undefined &&
  turn.generation_token_ids !== undefined &&
  isFinishReason(turn.finish_reason);

/** Entries for these two server kinds and this scenario that the two transcripts did not need. */
function stalePairs(
  list: DifferenceList,
  from: Transcript,
  to: Transcript,
  used: readonly Listed[],
): Assertion[] {
  const [one, other] = [projectionOf(from), projectionOf(to)];
  return list.places
    .filter(
      ({ entry, scenario }) =>
        scenario === from.scenario &&
        entry.between.includes(one) &&
        entry.between.includes(other) &&
        one !== other &&
        (entry.history ?? from.history) === from.history,
    )
    .filter((listed) => !used.includes(listed))
    .map(staleAssertion);
}

/** The scenarios a lane has played, with the scenario files they were played from. */
function played(
  { folder, run, scenarios }: JudgeRunInput,
  lane: RunLane,
): { scenario: LoadedScenario; transcript: Transcript }[] {
  const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  return run.scenarios.flatMap((name) => {
    if (!folder.hasTranscript(lane.lane, name)) return [];
    const transcript = folder.readTranscript(lane.lane, name);
    const scenario = byName.get(name);
    if (scenario?.hash === transcript.scenario_hash) {
      requireLane(transcript, lane, scenario.document.turns.length, folder.path);
      return [{ scenario, transcript }];
    }
    throw new InvalidError(`the scenario ${name} is not the one that was played`, {
      where: folder.path,
      hint: 'play it again, or check out the scenarios of that run',
    });
  });
}

/** A golden with what it says about one dialect. Throws {@link InvalidError} when it has no such projection. */
export function expectedOf(golden: Golden, dialect: DialectName, file: string): Expected {
  const projection = golden.projections[dialect];
  if (!projection) {
    throw new InvalidError(`no projection for ${dialect}`, {
      where: file,
      hint: `record one with a lane of that server kind: parity record ${golden.scenario} --lane … --reason "…"`,
    });
  }
  return { core: unfoldCore(golden), messages: projection.turns };
}
