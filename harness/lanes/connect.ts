import type { Dialect } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/index.ts';
import type { History } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Connection, ConnectOptions } from './connection.ts';
import { connectEmbedded } from './embedded.ts';
import { launch } from './launch/launch.ts';
import type { LoadedLane } from './load.ts';

/** The dialect a lane is asked in; decided before anything runs. */
export const laneDialect = ({ file, lane }: LoadedLane, history: History, oracle: Oracle): Dialect =>
  dialectOf(lane, history, oracle, file);

/** Starts or finds the lane's server. Whoever connects closes. Throws {@link InvalidError} for a lane that cannot be meant. */
export async function connect(loaded: LoadedLane, options: ConnectOptions): Promise<Connection> {
  const { lane, file } = loaded;
  if (lane.embedded) return connectEmbedded(loaded, options);
  if (lane.launch) return launch(loaded, lane.launch, options);
  if (!lane.attach) throw new InvalidError('neither `embedded`, `launch` nor `attach`', { where: file });
  return {
    url: attachUrl(lane.attach.url, file),
    apiKey: lane.attach.api_key_env ? process.env[lane.attach.api_key_env] : undefined,
    emulated: false,
    close: async () => {},
  };
}

/** The URL of an attach lane with `${NAME}` taken from the environment. */
export function attachUrl(template: string, file: string): string {
  const url = template.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = process.env[name];
    if (value) return value;
    throw new InvalidError(`the environment variable ${name} is not set`, {
      where: file,
      hint: `set it to the server's base URL, without /v1: ${name}=http://127.0.0.1:8000`,
    });
  });
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/$/, '');
  // Not quoted: it may hold a password.
  throw new InvalidError('the attach URL is no http URL', {
    where: file,
    hint: 'write http://HOST:PORT, without /v1',
  });
}
