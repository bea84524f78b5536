import { type Check, fail, ok } from './check.ts';
import { runBriefly } from './child.ts';

/** Characters of what `nvidia-smi` tells that are shown. */
const MAX_SHOWN = 400;

/** GPUs and their driver, as `nvidia-smi` tells; where there is none that is fine, unless a lane needs one. */
export async function gpuCheck(
  env: NodeJS.ProcessEnv,
  needed: string | undefined,
  signal: AbortSignal,
): Promise<Check> {
  const query = ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader'];
  const ran = await runBriefly('nvidia-smi', query, { seconds: 20, env, signal });
  const found = ran.state === 'done' ? ran.stdout.split('\n').filter((line) => line.trim() !== '') : [];
  if (found.length > 0 && found.every((line) => line.split(',').length === 3)) {
    return ok('GPU', found.join('; ').slice(0, MAX_SHOWN));
  }
  const why =
    ran.state === 'failed'
      ? `nvidia-smi: ${ran.reason}`
      : ran.state === 'slow'
        ? `nvidia-smi says nothing within ${ran.seconds} s`
        : ran.state === 'missing'
          ? 'no nvidia-smi'
          : found.length > 0
            ? 'nvidia-smi says what no GPU is called'
            : 'nvidia-smi lists none';
  if (needed === undefined) return ok('GPU', `${why}; none is needed here`);
  return fail('GPU', `${why}, but the lane ${needed} needs one`, 'run it where a GPU and its driver are');
}
