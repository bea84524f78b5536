import { InvalidError } from '../../errors.ts';
import type { EmbeddedOptions } from '../options.ts';

/** The parsers a server was started with, by vLLM's names. */
export interface Parsers {
  tool: 'hermes' | null;
  reasoning: 'qwen3' | null;
}

/** The parsers of the options. Throws {@link InvalidError} for one that is not emulated. */
export function parsersOf({ tool, reasoning }: EmbeddedOptions['parsers']): Parsers {
  if (tool !== null && tool !== 'hermes') {
    throw new InvalidError(`the embedded server does not emulate the tool parser '${tool}'`, {
      hint: 'it knows: hermes',
    });
  }
  if (reasoning !== null && reasoning !== 'qwen3') {
    throw new InvalidError(`the embedded server does not emulate the reasoning parser '${reasoning}'`, {
      hint: 'it knows: qwen3',
    });
  }
  return { tool, reasoning };
}
