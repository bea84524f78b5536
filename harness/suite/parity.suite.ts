import { describe, expect, inject, test } from 'vitest';
import { judgeRun } from '../compare/judge-run.ts';
import { judgesOf } from '../compare/judges.ts';
import type { Assertion } from '../compare/outcome.ts';
import { projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { loadScenarios } from '../scenario/scenario.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    runFolder: string;
    projectRoot: string;
  }
}

// The tests of `parity run`: one per lane, scenario, turn and field, judged from the run folder and nothing else.
const project = projectAt(inject('projectRoot'));
const folder = new RunFolder(inject('runFolder'));
const { scenarios, bookkeeping } = judgeRun({
  ...judgesOf(project),
  folder,
  run: folder.readRun(),
  scenarios: loadScenarios(project.scenarios),
});

function assert(title: string, assertions: readonly Assertion[]): void {
  describe(title, () => {
    for (const { turn, field, outcome } of assertions) {
      test(`turn ${turn} ${field}`, ({ skip }) => {
        if (outcome.status === 'follows') skip(`follows from ${outcome.from}`);
        if (outcome.status === 'waived') skip(`waived by ${outcome.waiver.owner}: ${outcome.waiver.reason}`);
        if (outcome.status === 'differs') expect.fail(outcome.difference.summary);
        expect(outcome.status).toBe('equal');
      });
    }
  });
}

for (const { transcript, assertions } of scenarios)
  assert(`${transcript.lane} ${transcript.scenario}`, assertions);
if (bookkeeping.length > 0) assert('what the run rests on', bookkeeping);
