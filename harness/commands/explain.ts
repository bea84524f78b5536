import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { closest } from 'fastest-levenshtein';
import { type JudgedScenario, judgeRun } from '../compare/judge-run.ts';
import { judgesOf } from '../compare/judges.ts';
import { FIELDS, type Field } from '../domain.ts';
import { EXIT, InvalidError } from '../errors.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { type Project, projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { explain } from '../report/explain/explanation.ts';
import { explainText } from '../report/explain.ts';
import { writeOut } from '../report/write.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import type { Finding, Run, TranscriptTurn } from '../schemas/types.ts';

export interface ExplainOptions {
  lane?: string;
  field?: string;
  at?: number;
}

/** Fields that a turn has; the others are about what a run rests on. */
const EXPLAINED = FIELDS.filter(
  (field) => field !== 'environment' && field !== 'differences' && field !== 'waivers',
);

/** `parity explain`: one field of one turn as ids, text and the message that produced each token. Returns the exit code. */
export function explainCommand(name: string, target: string, options: ExplainOptions): number {
  writeOut(...`${explained(projectAt(), name, target, options)}`.split('\n'));
  return EXIT.equal;
}

/** The text of an explanation. Throws {@link InvalidError} for what the run does not have. */
export function explained(
  project: Project,
  name: string,
  target: string,
  options: ExplainOptions = {},
): string {
  const folder = RunFolder.open(name, project.reports);
  const run = folder.readRun();
  const [, scenario = target, turnText] = /^(.*):(\d+)$/.exec(target) ?? [];
  if (turnText === undefined) {
    throw new InvalidError(`'${target}' names no turn`, {
      hint: 'name one as in tools/weather:2; turns begin at 1',
    });
  }
  requireScenario(run, scenario);
  const given = options.field === undefined ? undefined : fieldOf(options.field);
  const found = findingsOf(folder).filter(
    (finding) =>
      finding.scenario === scenario &&
      finding.turn === Number(turnText) &&
      (given === undefined || finding.field === given),
  );
  const first = found.find(({ followsFrom }) => followsFrom === undefined) ?? found[0];
  const lane = laneOf(run, options.lane ?? first?.lane, folder, scenario);
  const judged = judgedOf(project, folder, run, scenario, lane);
  const turn = turnOf(judged, scenario, Number(turnText));
  const finding =
    found.find((one) => one.lane === lane && one.followsFrom === undefined) ??
    found.find((one) => one.lane === lane);
  const field = given ?? EXPLAINED.find((one) => one === finding?.field) ?? 'prompt_token_ids';
  const explanation = explain({
    judged,
    turn,
    field,
    at: options.at,
    against: judged.assertions[0]?.against ?? 'golden',
    finding,
    requestOf: (number) => requestOf(folder, judged.transcript.turns[number - 1]),
    run: name,
  });
  return explainText(explanation);
}

function requireScenario(run: Run, scenario: string): void {
  if (run.scenarios.includes(scenario)) return;
  throw new InvalidError(`the run has no scenario '${scenario}'`, {
    hint: `did you mean '${closest(scenario, run.scenarios)}'? it has ${run.scenarios.length}`,
  });
}

function fieldOf(name: string): Field {
  const field = EXPLAINED.find((known) => known === name);
  if (field !== undefined) return field;
  throw new InvalidError(`no field '${name}'`, { hint: `fields: ${EXPLAINED.join(', ')}` });
}

function laneOf(run: Run, wanted: string | undefined, folder: RunFolder, scenario: string): string {
  const lanes = run.lanes.map(({ lane }) => lane).filter((lane) => folder.hasTranscript(lane, scenario));
  const [first] = lanes;
  if (first === undefined) {
    throw new InvalidError(`no lane of the run has played ${scenario}`, { where: folder.path });
  }
  if (wanted === undefined || lanes.includes(wanted)) return wanted ?? first;
  throw new InvalidError(`no lane '${wanted}' has played ${scenario}`, {
    where: folder.path,
    hint: `lanes: ${lanes.join(', ')}`,
  });
}

/** The lane's transcript as it is judged, so that both sides are those of the report. */
function judgedOf(
  project: Project,
  folder: RunFolder,
  run: Run,
  scenario: string,
  lane: string,
): JudgedScenario {
  const { scenarios } = judgeRun({
    ...judgesOf(project),
    folder,
    run: { ...run, scenarios: [scenario] },
    scenarios: loadScenarios(project.scenarios),
  });
  const judged = scenarios.find(({ transcript }) => transcript.lane === lane);
  if (judged) return judged;
  throw new InvalidError(`lane ${lane} has nothing to be compared with in ${scenario}`, {
    where: folder.path,
  });
}

function turnOf({ transcript }: JudgedScenario, scenario: string, number: number): TranscriptTurn {
  const turn = transcript.turns.find((entry) => entry.turn === number);
  if (turn) return turn;
  throw new InvalidError(`no turn ${number} of ${scenario}`, {
    hint: `lane ${transcript.lane} has ${transcript.turns.length}, numbered from 1`,
  });
}

/** Findings of the run's report; none where the run was not judged. */
function findingsOf(folder: RunFolder): Finding[] {
  return existsSync(join(folder.path, 'results.json')) ? folder.readResults().findings : [];
}

/** The body that was sent; undefined where it is not in the folder. */
function requestOf(folder: RunFolder, turn: TranscriptTurn | undefined): JsonObject | undefined {
  if (!turn) return undefined;
  if (!existsSync(join(folder.path, `${turn.exchange}.request.json`))) return undefined;
  const body = folder.readRequest(turn.exchange);
  return isObject(body) ? body : undefined;
}
