import { InvalidError } from '../errors.ts';
import { type HttpApp, listen } from './http.ts';
import { nemoRlVllm } from './nemo-rl-vllm/app.ts';
import type { EmbeddedOptions } from './options.ts';

export type { EmbeddedOptions } from './options.ts';

export interface EmbeddedServer {
  /** Base URL without a path: `http://127.0.0.1:4711`. */
  url: string;
  close(): Promise<void>;
}

const KINDS: Record<EmbeddedOptions['server'], (options: EmbeddedOptions) => HttpApp> = {
  'nemo-rl-vllm': nemoRlVllm,
};

/**
 * Starts an emulated chat server over real HTTP. Every answer's `server` header says that it is an emulation.
 * Throws {@link InvalidError} for a parser or server kind that is not emulated.
 */
export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const kind = Object.hasOwn(KINDS, options.server) ? KINDS[options.server] : undefined;
  if (!kind) throw new InvalidError(`no embedded server of kind '${options.server}'`);
  const name = `parity-embedded (emulation of ${options.server})`;
  return listen(kind(options), { name, host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
}
