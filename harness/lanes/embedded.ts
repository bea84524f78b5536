import { FAULTS } from '../embedded/faults.ts';
import { startEmbeddedServer } from '../embedded/server.ts';
import { InvalidError } from '../errors.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import type { Connection, ConnectOptions } from './connection.ts';
import type { LoadedLane } from './load.ts';

/** Context window of an embedded lane that names none, in tokens. */
export const DEFAULT_WINDOW = 8192;

/** Greedy as the mission asks, and the validation pair that recorded runs used. */
const SAMPLING = { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } };

/** Starts the bundled emulation of a lane's server kind on a free loopback port. */
export async function connectEmbedded(
  { lane, file }: LoadedLane,
  options: ConnectOptions,
): Promise<Connection> {
  const lag = lane.model.teleprompter?.lag;
  if (!lag || lane.server !== 'nemo-rl-vllm') {
    throw new InvalidError(`no emulation of '${lane.server}' with this model`, {
      where: file,
      hint: 'embedded lanes need `server: nemo-rl-vllm` and `model.teleprompter.lag`',
    });
  }
  const fault = FAULTS.find(({ name }) => name === options.plant);
  if (options.plant && !fault) throw new InvalidError(`no fault '${options.plant}'`);
  const tokenizer = loadTokenizer();
  const server = await startEmbeddedServer({
    server: lane.server,
    model: lane.model.served_as ?? lane.model.name,
    codebook: loadCodebook(options.codebook, (text) => tokenizer.encode(text)),
    lag,
    maxModelLen: lane.max_model_len ?? DEFAULT_WINDOW,
    sampling: SAMPLING,
    parsers: lane.parsers,
    ...(fault ? { fault } : {}),
  });
  return { url: server.url, apiKey: undefined, emulated: true, close: () => server.close() };
}
