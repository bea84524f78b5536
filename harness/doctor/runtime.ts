import { type Check, fail, ok, warn } from './check.ts';
import { runBriefly } from './child.ts';

/** Compares the running Node with the package's `engines`, a range like `>=22.18`. */
export function nodeCheck(running: string, range: string | undefined): Check {
  const wanted = /^>=\s*(\d+)(?:\.(\d+))?/.exec(range ?? '');
  if (!wanted) return warn('node', `${running}; the package says not what it needs`, 'install it anew');
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const [needMajor, needMinor] = [Number(wanted[1]), Number(wanted[2] ?? 0)];
  const enough = major > needMajor || (major === needMajor && minor >= needMinor);
  if (enough) return ok('node', `${running} (${range} needed)`);
  return fail(
    'node',
    `${running}, but ${range} is needed`,
    `install Node ${needMajor}.${needMinor} or later; in this repository \`npm run parity\` brings its own`,
  );
}

/** npm is only needed to install; versions below 11 do not know `allowScripts` and run scripts that download. */
export async function npmCheck(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Check> {
  const ran = await runBriefly('npm', ['--version'], { seconds: 20, env, signal });
  const remedy = 'npm install --global npm@11 (only installing needs it)';
  if (ran.state === 'missing') return warn('npm', 'not on PATH', remedy);
  if (ran.state === 'slow') return warn('npm', `says nothing within ${ran.seconds} s`, remedy);
  if (ran.state === 'failed') return warn('npm', ran.reason, remedy);
  const major = Number(ran.stdout.split('.')[0]);
  return major >= 11 ? ok('npm', ran.stdout) : warn('npm', `${ran.stdout}, and 11 is expected`, remedy);
}

/** Where `CI` is set, goldens are not recorded; in a terminal that surprises. */
export function ciCheck(ci: string | undefined, terminal: boolean): Check {
  if (!ci) return ok('CI', 'not set: `parity record` may write goldens');
  if (terminal)
    return warn('CI', 'set in a terminal: `parity record` is refused', 'unset CI, if this is no CI job');
  return ok('CI', 'set: `parity record` is refused, as it should be in CI');
}
