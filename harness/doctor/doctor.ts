import type { LoadedLane } from '../lanes/load.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { Project } from '../project.ts';
import { attachChecks } from './attach-lane.ts';
import { type Check, ok } from './check.ts';
import { gpuCheck } from './gpu.ts';
import { type LaunchContext, launchChecks } from './launch-lane.ts';
import { diskCheck, freeBytes, loopbackCheck, writableCheck } from './machine.ts';
import { type Known, modelCheck } from './model-files.ts';
import { codebookEntries, projectChecks } from './project-files.ts';
import { ciCheck, nodeCheck, npmCheck } from './runtime.ts';

/** Checks under one heading. */
export interface Section {
  title: string;
  checks: Check[];
}

export interface DoctorInput {
  project: Project;
  /** Lanes that were asked about. */
  lanes: readonly LoadedLane[];
  /** Model folders that were asked about. */
  models: readonly string[];
  engines: string | undefined;
  env: NodeJS.ProcessEnv;
  terminal: boolean;
  signal: AbortSignal;
}

/** Looks at everything that a run needs, in the order in which it needs it. */
export async function examine(input: DoctorInput): Promise<Section[]> {
  const { project, env, signal } = input;
  const machine = [
    nodeCheck(process.versions.node, input.engines),
    await npmCheck(env, signal),
    writableCheck(project.reports),
    diskCheck(freeBytes(project.reports)),
    await loopbackCheck(),
    await gpuCheck(env, undefined, signal),
    ciCheck(env.CI, input.terminal),
  ];
  const sections: Section[] = [
    { title: 'machine', checks: machine },
    { title: 'project', checks: projectChecks(project) },
  ];
  const known: Known = { tokenizer: loadTokenizer().hash, entries: codebookEntries(project) };
  for (const dir of input.models) sections.push({ title: `model ${dir}`, checks: [modelCheck(dir, known)] });
  for (const loaded of input.lanes) {
    const checks = await laneChecks(loaded, { project, known, env, signal });
    sections.push({ title: `lane ${loaded.lane.name}`, checks });
  }
  return sections;
}

async function laneChecks(loaded: LoadedLane, context: LaunchContext): Promise<Check[]> {
  const { attach, launch } = loaded.lane;
  if (attach) return attachChecks(loaded, attach, context.env);
  if (launch) return launchChecks(loaded, launch, context);
  return [ok('embedded', 'needs no engine, no model, no network')];
}
