import { resolve } from 'node:path';
import { ParityError } from '../errors.ts';
import { type Start, startOf, usesPort } from '../lanes/launch/start.ts';
import type { LoadedLane } from '../lanes/load.ts';
import { SCRIPTED } from '../lanes/model.ts';
import type { Project } from '../project.ts';
import type { LaunchedServer } from '../schemas/types.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { engineChecks, engineModule } from './engine.ts';
import { findProgram } from './find-program.ts';
import { gpuCheck } from './gpu.ts';
import { listens } from './machine.ts';
import { type Known, modelCheck } from './model-files.ts';

export interface LaunchContext {
  project: Project;
  known: Known;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** What a lane needs that starts its own server: program, engine, model, GPU, port, and no network. */
export async function launchChecks(
  loaded: LoadedLane,
  spec: LaunchedServer,
  context: LaunchContext,
): Promise<Check[]> {
  let start: Start;
  try {
    start = startOf(loaded, spec, {
      root: context.project.root,
      caller: context.env,
      modelPath: loaded.lane.model.path && resolve(context.project.root, loaded.lane.model.path),
      port: 0,
      name: loaded.lane.name,
    });
  } catch (error) {
    if (!(error instanceof ParityError)) throw error;
    const [what = '', hint = ''] = error.message.split('\n').map((line) => line.trim());
    return [fail('environment', what, hint)];
  }
  const stop = stopCheck(spec, start);
  return [
    ok('environment', `${Object.keys(start.env).length} variables reach the server`),
    ...(await engineChecks(engineModule(loaded.lane), start, context.signal)),
    ...(stop ? [stop] : []),
    ...modelChecks(loaded, context),
    await gpuCheck(context.env, needsGpu(spec) ? loaded.lane.name : undefined, context.signal),
    await portCheck(spec, start),
    offlineCheck(start),
  ];
}

function stopCheck({ stop }: LaunchedServer, { env, cwd }: Start): Check | undefined {
  const [word] = stop ?? [];
  if (word === undefined) return undefined;
  const program = findProgram(word, { path: env.PATH ?? '', cwd });
  if (program) return ok('stop', program);
  return fail('stop', `${word} is not on PATH`, 'install it, or correct `launch.stop` of the lane');
}

function modelChecks({ lane }: LoadedLane, { project, known }: LaunchContext): Check[] {
  const { path } = lane.model;
  if (path === undefined) return [];
  if (path === SCRIPTED) return [ok('model', 'the scripted checkpoint, written when the lane starts')];
  return [modelCheck(resolve(project.root, path), known)];
}

/** Only a lane that says so needs a GPU: engines for the CPU are started alike. */
function needsGpu({ command, env = {}, keep_env: keep = [] }: LaunchedServer): boolean {
  const names = [...Object.keys(env), ...keep];
  return (
    names.some((name) => /^(CUDA|NVIDIA)_/.test(name)) ||
    command.some(
      (word) => word === '--gpus' || word.startsWith('--gpus=') || /(^|\/)trtllm-serve$/.test(word),
    )
  );
}

async function portCheck(spec: LaunchedServer, start: Start): Promise<Check> {
  if (usesPort(spec)) return ok('port', 'a free one is taken for every start');
  if (start.tellsUrl) return ok('port', 'the server tells its own');
  const { hostname, port, origin } = new URL(start.url(undefined));
  if (!(await listens(hostname.replace(/^\[|\]$/g, ''), Number(port) || 80)))
    return ok('port', `${origin} is free`);
  return fail('port', `somebody listens at ${origin} already`, 'stop it, or write {port} in the lane');
}

function offlineCheck({ env }: Start): Check {
  if (/^(1|on|true|yes)$/i.test(env.HF_HUB_OFFLINE ?? '')) return ok('offline', 'HF_HUB_OFFLINE is set');
  const remedy = 'add `env: { HF_HUB_OFFLINE: "1" }` to the launch of the lane';
  return warn('offline', 'HF_HUB_OFFLINE is not set for the server: it may ask a hub', remedy);
}
