import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Lane } from '../schemas/types.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { runBriefly } from './child.ts';
import { findProgram } from './find-program.ts';

/** How a lane starts its server, names filled in. */
export interface Start {
  command: readonly string[];
  /** The whole environment of the server. */
  env: Record<string, string>;
  cwd: string;
}

/** The Python package of the engine behind a lane's server. */
export function engineModule({ server, tokens }: Pick<Lane, 'server' | 'tokens'>): string {
  const kind = tokens?.api ?? server;
  if (kind.includes('trtllm')) return 'tensorrt_llm';
  return kind === 'sglang' ? 'sglang' : 'vllm';
}

/** Imports an engine and says its version, whatever else it prints. */
const CODE =
  'import importlib, sys; m = importlib.import_module(sys.argv[1]); print("version=" + str(getattr(m, "__version__", "unknown")))';

/** How long an import may take: vLLM's takes 16 s on an idle machine. */
export const IMPORT_SECONDS = 120;

/** Whether the program is there and, where it is a Python or a Python script, its engine can be imported. */
export async function engineChecks(
  module: string,
  start: Start,
  signal: AbortSignal,
  seconds = IMPORT_SECONDS,
): Promise<Check[]> {
  const [word = ''] = start.command;
  const program = findProgram(word, { path: start.env.PATH ?? '', cwd: start.cwd });
  if (!program) {
    const where = word.includes('/') ? 'is no program' : 'is not on PATH';
    return [fail('program', `${word} ${where}`, 'install it, or correct `launch.command` of the lane')];
  }
  const found = ok('program', program);
  const python = pythonBehind(program, start);
  if (!python) return [found, scriptCheck(start)];
  const ran = await runBriefly(python, ['-c', CODE, module], { seconds, env: start.env, signal });
  const remedy = `install ${module} for ${python}`;
  switch (ran.state) {
    case 'done': {
      const [, version = 'unknown'] = /^version=(.*)$/m.exec(ran.stdout) ?? [];
      return [found, ok('engine', `${module} ${version}, by ${python}`)];
    }
    case 'slow':
      return [found, fail('engine', `importing ${module} takes more than ${ran.seconds} s`, remedy)];
    case 'missing':
      return [found, fail('engine', `${python} cannot be started`, remedy)];
    case 'failed':
      return [found, fail('engine', `${module} cannot be imported: ${ran.reason}`, remedy)];
  }
}

/** A shell script in front must be there; what it starts cannot be seen from here. */
function scriptCheck({ command, cwd }: Start): Check {
  const script = command.slice(1).find((word) => /\.(sh|bash|py|ts|js)$/.test(word) && !word.startsWith('-'));
  if (script !== undefined && !existsSync(resolve(cwd, script))) {
    return fail('engine', `there is no ${script}`, 'correct `launch.command` of the lane');
  }
  const through = script ?? command[0] ?? '';
  return warn('engine', `started through ${through}: not looked into`, 'check its engine by hand');
}

const isPython = (file: string): boolean => /^python[\d.]*$/.test(basename(file));

/** The Python that runs a program: itself, or the one its first line names. */
function pythonBehind(program: string, { env, cwd }: Start): string | undefined {
  if (isPython(program)) return program;
  const [interpreter = '', ...args] = firstLine(program)
    .replace(/^#!\s*/, '')
    .split(/\s+/);
  const named = basename(interpreter) === 'env' ? args.find((word) => !word.startsWith('-')) : interpreter;
  if (!named || !isPython(named)) return undefined;
  return findProgram(named, { path: env.PATH ?? '', cwd });
}

/** The first line of a script; empty for anything else. */
function firstLine(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(512);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    const [line = ''] = bytes.toString('utf8', 0, length).split('\n');
    return line.startsWith('#!') ? line.trim() : '';
  } finally {
    closeSync(descriptor);
  }
}
