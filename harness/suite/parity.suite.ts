import { describe, expect, inject, test } from 'vitest';
import { judgeRun } from '../compare/judge-run.ts';
import { GoldenStore } from '../goldens/store.ts';
import { Oracle } from '../oracle/oracle.ts';
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
const oracle = new Oracle();
const judged = judgeRun({
  folder: new RunFolder(inject('runFolder')),
  scenarios: loadScenarios(project.scenarios),
  store: new GoldenStore(project.goldens, oracle.tokenizer),
  oracle,
});

for (const { transcript, assertions } of judged) {
  describe(`${transcript.lane} ${transcript.scenario}`, () => {
    for (const { turn, field, outcome } of assertions) {
      test(`turn ${turn} ${field}`, ({ skip }) => {
        if (outcome.status === 'follows') skip(`follows from ${outcome.from}`);
        if (outcome.status === 'differs') expect.fail(outcome.difference.summary);
        expect(outcome.status).toBe('equal');
      });
    }
  });
}
