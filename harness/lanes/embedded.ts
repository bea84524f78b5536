import { closest } from 'fastest-levenshtein';
import { actsOn, FAULTS, type Fault } from '../embedded/faults.ts';
import { isServerKind, SERVER_KINDS, type ServerKind } from '../embedded/kinds.ts';
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
  // The one emulation that takes ids.
  const kind = lane.tokens?.api.startsWith('vllm-') ? 'vllm-serve' : lane.server;
  if (!lag || !isServerKind(kind)) {
    throw new InvalidError(`no emulation of '${lane.server}' with this model`, {
      where: file,
      hint: `embedded lanes need \`model.teleprompter.lag\` and a server of ${SERVER_KINDS.join(', ')}, or of tokens with a route of vLLM's`,
    });
  }
  // Faults act on chat routes.
  const fault = lane.tokens ? undefined : plantedFault(options.plant, kind);
  const tokenizer = loadTokenizer();
  const server = await startEmbeddedServer({
    server: kind,
    scaleOut: lane.tokens !== undefined,
    model: lane.model.served_as ?? lane.model.name,
    codebook: loadCodebook(options.codebook, (text) => tokenizer.encode(text)),
    lag,
    maxModelLen: lane.max_model_len ?? DEFAULT_WINDOW,
    sampling: SAMPLING,
    // A token lane's parsers are the oracle's.
    parsers: lane.tokens ? { tool: null, reasoning: null } : lane.parsers,
    ...(options.chatTemplate === undefined ? {} : { chatTemplate: options.chatTemplate }),
    ...(fault ? { fault } : {}),
  });
  return { url: server.url, apiKey: undefined, emulated: true, close: () => server.close() };
}

/** The fault of this name; undefined where it cannot act on the server. Throws {@link InvalidError} for a name nobody knows. */
export function plantedFault(name: string | undefined, server: ServerKind): Fault | undefined {
  if (name === undefined) return undefined;
  const fault = FAULTS.find((entry) => entry.name === name);
  if (!fault) {
    const guess = closest(
      name,
      FAULTS.map((entry) => entry.name),
    );
    throw new InvalidError(`no fault '${name}'`, {
      hint: `did you mean '${guess}'? \`parity run --plant list\` shows them`,
    });
  }
  return actsOn(fault, server) ? fault : undefined;
}
