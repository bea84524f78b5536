import { ITSELF, type JudgedRun, type JudgedScenario } from '../compare/judge-run.ts';
import type { Assertion } from '../compare/outcome.ts';
import { isOracles } from '../compare/own.ts';
import type { Case } from '../diagnose/case.ts';
import { type Diagnosis, diagnose, diagnoseEnvironment, layerOf } from '../diagnose/diagnose.ts';
import { type Field, projectionOf } from '../domain.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { Finding, Run, Transcript } from '../schemas/types.ts';
import { scriptIds } from '../teleprompter/script.ts';

/**
 * Every finding of a judged run: an environment that differs before all else, then the turns', then what a run rests on. First
 * findings are diagnosed; what only follows from them gets the layer of its field.
 */
export function findingsOf(judged: JudgedRun, folder: RunFolder, run: Run): Finding[] {
  const [environment, others] = [true, false].map((wanted) =>
    judged.bookkeeping
      .filter(({ field }) => (field === 'environment') === wanted)
      .flatMap(bookkeepingFinding),
  );
  return [
    ...(environment ?? []),
    ...judged.scenarios.flatMap((scenario) => scenarioFindings(scenario, folder, run)),
    ...(others ?? []),
  ];
}

function scenarioFindings(judged: JudgedScenario, folder: RunFolder, run: Run): Finding[] {
  const { transcript, assertions } = judged;
  return assertions.flatMap((assertion) => {
    const { outcome, lane, scenario, field, against } = assertion;
    if (outcome.status === 'equal' || outcome.status === 'waived') return [];
    const turn = transcript.turns[assertion.turn - 1];
    const diagnosis: Diagnosis =
      outcome.status === 'differs'
        ? diagnose(caseOf(judged, assertion, outcome.difference, folder, run))
        : { verdict: layerOf(field, turn?.outcome === 'no_answer'), reference: 'unknown' };
    const finding: Finding = {
      lane,
      scenario,
      turn: assertion.turn,
      field,
      ...outcome.difference,
      ...diagnosis,
      against,
      location: judged.scenario.locateTurn(assertion.turn),
    };
    if (outcome.status === 'follows') finding.followsFrom = outcome.from;
    if (field === 'http_status' && turn?.log) {
      const lines = folder.logLines(lane, turn.log).map((line) => `its log: ${line.slice(0, 200)}`);
      if (lines.length > 0) finding.evidence = [...(finding.evidence ?? []), ...lines];
    }
    // Generated ids are judged by the scenario's script, which is no code at all.
    if (diagnosis.reference !== 'unknown' && field !== 'generation_token_ids') {
      finding.oracle = sharesCode(judged, against, run) ? 'shares_code' : 'independent';
    }
    return [finding];
  });
}

function bookkeepingFinding({ lane, scenario, turn, field, against, outcome }: Assertion): Finding[] {
  if (outcome.status !== 'differs') return [];
  const { difference } = outcome;
  const diagnosis: Diagnosis =
    field === 'environment'
      ? diagnoseEnvironment(difference)
      : { verdict: layerOf(field, false), reference: 'unknown' };
  return [{ lane, scenario, turn, field, ...difference, ...diagnosis, against }];
}

/** An assertion that differs as a case, its requests read from the run folder. */
function caseOf(
  { transcript, expected, golden, oracle, scenario }: JudgedScenario,
  { turn: number, field, against }: Assertion,
  difference: Case['difference'],
  folder: RunFolder,
  run: Run,
): Case {
  const asks = !OWN_WORD.has(field);
  const turn = transcript.turns[number - 1];
  const other =
    golden || against === ITSELF || !folder.hasTranscript(against, transcript.scenario)
      ? undefined
      : folder.readTranscript(against, transcript.scenario);
  const say = golden?.identity.codebook === undefined ? undefined : scenario.document.turns[number - 1]?.say;
  const selfMade = isOracles(transcript, field);
  return {
    field,
    difference,
    speaker: speakerOf(transcript, run),
    selfMade,
    eos: transcript.eos,
    history: transcript.history,
    turn,
    earlier: transcript.turns.slice(0, number - 1),
    core: expected.core[number - 1],
    message: expected.messages?.[number - 1],
    request: asks ? requestOf(folder, transcript, number) : undefined,
    other: other && {
      speaker: speakerOf(other, run),
      request: asks ? requestOf(folder, other, number) : undefined,
    },
    script: say === undefined ? undefined : scriptIds(say, oracle.tokenizer),
    oracle,
  };
}

/** Who spoke; on a token lane the oracle stands in for a server kind. */
const speakerOf = (transcript: Transcript, run: Run): Case['speaker'] => ({
  server: projectionOf(transcript),
  parsers: transcript.parsers,
  version: run.lanes.find(({ lane }) => lane === transcript.lane)?.engine?.version,
});

/** Fields that the answer alone decides, whatever was asked. */
const OWN_WORD: ReadonlySet<Field> = new Set(['finish_reason', 'usage', 'logprobs']);

/** The chat body a lane was sent in a turn; undefined when there is none in the folder. */
function requestOf(
  folder: RunFolder,
  { turns, projection }: Transcript,
  turn: number,
): JsonObject | undefined {
  // A token lane is sent ids, not a conversation.
  const exchange = projection === undefined ? turns[turn - 1]?.exchange : undefined;
  const body = exchange === undefined ? undefined : folder.readRequest(exchange);
  return isObject(body) ? body : undefined;
}

/** The oracle and the bundled emulations are the same code, so their agreement is no evidence about a real engine. */
function sharesCode({ transcript, golden }: JudgedScenario, against: string, run: Run): boolean {
  if (transcript.emulated) return true;
  if (!golden) return run.lanes.some(({ lane, emulated }) => lane === against && emulated);
  const projection = golden.projections[projectionOf(transcript)];
  const { emulated } = projection?.context ?? golden.context;
  return emulated && (projection?.confirmed_by ?? []).length === 0;
}
