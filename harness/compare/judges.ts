import { join } from 'node:path';
import { DifferenceList } from '../goldens/differences.ts';
import { GoldenStore } from '../goldens/store.ts';
import { WaiverList } from '../goldens/waivers.ts';
import { Oracle } from '../oracle/oracle.ts';
import type { Project } from '../project.ts';

/** What judging needs beside a run folder. */
export interface Judges {
  oracle: Oracle;
  store: GoldenStore;
  differences: DifferenceList;
  waivers: WaiverList;
}

/** Goldens, differences and waivers of a project. Throws {@link InvalidError} for a file that is wrong. */
export function judgesOf(project: Project): Judges {
  const oracle = new Oracle();
  return {
    oracle,
    store: new GoldenStore(project.goldens, oracle.tokenizer),
    differences: DifferenceList.load(join(project.goldens, 'differences.yaml')),
    waivers: WaiverList.load(join(project.goldens, 'waivers.yaml'), new Date().toISOString().slice(0, 10)),
  };
}
