import { resolve } from 'node:path';
import { ParityError } from '../errors.ts';
import { engineEnvironment } from '../lanes/launch/environment.ts';
import { fillNames, type Names } from '../lanes/launch/names.ts';
import type { LoadedLane } from '../lanes/load.ts';
import type { Project } from '../project.ts';
import type { LaunchedServer } from '../schemas/types.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { engineChecks, engineModule, type Start } from './engine.ts';
import { findProgram } from './find-program.ts';
import { gpuCheck } from './gpu.ts';
import { listens } from './machine.ts';
import { type Known, modelCheck } from './model-files.ts';

const HOST = '127.0.0.1';
const DEFAULT_URL = 'http://{host}:{port}';
const SCRIPTED = '{teleprompter}';

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
    start = startOf(loaded, spec, context);
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
    await portCheck(spec),
    offlineCheck(start),
  ];
}

/** Command and environment as the launcher makes them; of the port only its place matters here. */
function startOf({ lane, file }: LoadedLane, spec: LaunchedServer, { project, env }: LaunchContext): Start {
  const { path, dtype = 'bfloat16', served_as: served = lane.model.name } = lane.model;
  const names: Names = {
    host: HOST,
    name: lane.name,
    port: '0',
    'model.path': path === undefined ? undefined : resolve(project.root, path),
    'model.served_as': served,
    'model.dtype': dtype,
    chat_template: lane.chat_template && resolve(project.root, lane.chat_template),
    'handshake.url': undefined,
  };
  const fill = (text: string): string => fillNames(text, names, file);
  const own = Object.entries(spec.env ?? {}).map(([name, value]) => [name, fill(value)]);
  return {
    command: spec.command.map(fill),
    env: engineEnvironment(env, spec.keep_env ?? [], Object.fromEntries(own)),
    cwd: project.root,
  };
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

async function portCheck({ command, env = {}, url = DEFAULT_URL }: LaunchedServer): Promise<Check> {
  if ([...command, ...Object.values(env), url].some((text) => text.includes('{port}'))) {
    return ok('port', 'a free one is taken for every start');
  }
  if (!URL.canParse(url)) return ok('port', 'the server tells its own');
  const { hostname, port, origin } = new URL(url);
  if (!(await listens(hostname.replace(/^\[|\]$/g, ''), Number(port) || 80)))
    return ok('port', `${origin} is free`);
  return fail('port', `somebody listens at ${origin} already`, 'stop it, or write {port} in the lane');
}

function offlineCheck({ env }: Start): Check {
  if (/^(1|on|true|yes)$/i.test(env.HF_HUB_OFFLINE ?? '')) return ok('offline', 'HF_HUB_OFFLINE is set');
  const remedy = 'add `env: { HF_HUB_OFFLINE: "1" }` to the launch of the lane';
  return warn('offline', 'HF_HUB_OFFLINE is not set for the server: it may ask a hub', remedy);
}
