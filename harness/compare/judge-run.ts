import { InvalidError } from '../errors.ts';
import { unfoldCore } from '../goldens/codec.ts';
import { identityDrift, identityOf, type Script } from '../goldens/identity.ts';
import type { GoldenStore } from '../goldens/store.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Golden, RunLane, Transcript } from '../schemas/types.ts';
import { type Expected, type Judgement, judge } from './judge.ts';

/** A golden with what it says about one dialect. Throws {@link InvalidError} when it has no such projection. */
export function expectedOf(golden: Golden, dialect: Transcript['server'], file: string): Expected {
  const projection = golden.projections[dialect];
  if (!projection) {
    throw new InvalidError(`no projection for ${dialect}`, {
      where: file,
      hint: `record one with a lane of that server kind: parity record ${golden.scenario} --lane … --reason "…"`,
    });
  }
  return { core: unfoldCore(golden), messages: projection.turns };
}

/** A golden that may be compared with what a lane answers to this scenario now. Throws {@link InvalidError} otherwise. */
export function loadGolden(
  store: GoldenStore,
  scenario: LoadedScenario,
  key: { model: string; history: Transcript['history'] },
  oracle: Oracle,
  script: Script | undefined,
): Golden {
  const full = { ...key, scenario: scenario.name };
  const golden = store.load(full);
  const drift = identityDrift(golden.identity, identityOf(scenario, oracle, script));
  if (drift.length === 0) return golden;
  throw new InvalidError(`recorded for another ${drift.join(', ')}`, {
    where: store.file(full),
    hint: `if the change is meant, record it again: parity record ${scenario.name} --update changed --reason "…"`,
  });
}

/** One scenario of one lane of a run, judged. */
export interface JudgedScenario extends Judgement {
  lane: RunLane;
  scenario: LoadedScenario;
  transcript: Transcript;
  golden: Golden;
  expected: Expected;
}

export interface JudgeRunInput {
  folder: RunFolder;
  scenarios: readonly LoadedScenario[];
  store: GoldenStore;
  oracle: Oracle;
}

/** Judges every transcript of a run folder against the goldens, in lane and scenario order. */
export function judgeRun({ folder, scenarios, store, oracle }: JudgeRunInput): JudgedScenario[] {
  const run = folder.readRun();
  const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  return run.lanes.flatMap((lane) =>
    run.scenarios.flatMap((name) => {
      if (!folder.hasTranscript(lane.lane, name)) return [];
      const transcript = folder.readTranscript(lane.lane, name);
      const scenario = byName.get(name);
      if (!scenario || scenario.hash !== transcript.scenario_hash) {
        throw new InvalidError(`the scenario ${name} is not the one that was played`, {
          where: folder.path,
          hint: 'play it again, or check out the scenarios of that run',
        });
      }
      const golden = store.load({ model: transcript.model, history: transcript.history, scenario: name });
      const expected = expectedOf(golden, transcript.server, store.file(golden));
      const judgement = judge({ transcript, expected, scenario: scenario.document, oracle });
      return [{ lane, scenario, transcript, golden, expected, ...judgement }];
    }),
  );
}
