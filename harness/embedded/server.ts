import { InvalidError } from '../errors.ts';
import { type HttpApp, listen } from './http.ts';
import { EMULATION, type ServerKind } from './kinds.ts';
import { nemoRlTrtllm } from './nemo-rl-trtllm/app.ts';
import { nemoRlVllm } from './nemo-rl-vllm/app.ts';
import type { EmbeddedOptions } from './options.ts';
import { vllmServe } from './vllm-serve/app.ts';

export type { EmbeddedOptions } from './options.ts';

export interface EmbeddedServer {
  /** Base URL without a path: `http://127.0.0.1:4711`. */
  url: string;
  close(): Promise<void>;
}

/** An emulation, and how long the real server keeps an idle connection. */
interface Kind {
  app: (options: EmbeddedOptions) => HttpApp;
  keepAliveMs: number;
}

const KINDS: Record<ServerKind, Kind> = {
  'nemo-rl-vllm': { app: nemoRlVllm, keepAliveMs: 120_000 },
  'nemo-rl-trtllm': { app: nemoRlTrtllm, keepAliveMs: 5_000 },
  'vllm-serve': { app: vllmServe, keepAliveMs: 5_000 },
};

/**
 * Starts an emulated chat server over real HTTP. Every answer's `server` header says that it is an emulation.
 * Throws {@link InvalidError} for a parser or server kind that is not emulated.
 */
export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const kind = Object.hasOwn(KINDS, options.server) ? KINDS[options.server] : undefined;
  if (!kind) throw new InvalidError(`no embedded server of kind '${options.server}'`);
  const name = `${EMULATION} (emulation of ${options.server})`;
  const { host = '127.0.0.1', port = 0 } = options;
  return listen(kind.app(options), { name, host, port, keepAliveMs: kind.keepAliveMs });
}
