import { ParityError } from '../errors.ts';
import { attachUrl } from '../lanes/connect.ts';
import type { LoadedLane } from '../lanes/load.ts';
import type { AttachedServer } from '../schemas/types.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { listens } from './machine.ts';

/** What attaching needs: the variables that the lane names, and somebody who listens. */
export async function attachChecks(
  { file }: LoadedLane,
  attach: AttachedServer,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  const named = [...attach.url.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  if (attach.api_key_env !== undefined) named.push(attach.api_key_env);
  const unset = named.filter((name) => !env[name]);
  if (unset.length > 0) {
    const remedy = `export ${unset[0]}=… (${file} uses it)`;
    return [fail('environment', `${unset.join(', ')} not set`, remedy)];
  }
  const variables = ok('environment', named.length > 0 ? `${named.join(', ')} set` : 'no variable needed');
  let url: URL;
  try {
    url = new URL(attachUrl(attach.url, file));
  } catch (error) {
    if (!(error instanceof ParityError)) throw error;
    return [
      variables,
      fail('server', 'the attach URL is no http URL', 'write http://HOST:PORT, without /v1'),
    ];
  }
  const number = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const there = await listens(url.hostname.replace(/^\[|\]$/g, ''), number);
  if (there) return [variables, ok('server', `somebody listens at ${url.origin}; what it is: parity probe`)];
  const remedy = 'start the server, or correct the URL';
  return [variables, warn('server', `nobody listens at ${url.origin}`, remedy)];
}
