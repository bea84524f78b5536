import { InvalidError } from '../../errors.ts';
import type { EmbeddedOptions } from '../options.ts';
import type { VllmVersion } from './version.ts';

export type ToolParser = 'hermes' | 'qwen3_coder';

/** Tool parsers by version: 0.32 has one named `qwen3_coder` too, which keeps blanks that 0.25.1 strips. */
const TOOL_PARSERS: Record<VllmVersion['name'], readonly ToolParser[]> = {
  '0.25.1': ['hermes', 'qwen3_coder'],
  '0.32.0': ['hermes'],
};

/** The parsers a server was started with, by vLLM's names. */
export interface Parsers {
  tool: ToolParser | null;
  reasoning: 'qwen3' | null;
}

/** The parsers of the options. Throws {@link InvalidError} for one that is not emulated. */
export function parsersOf({ tool, reasoning }: EmbeddedOptions['parsers'], version: VllmVersion): Parsers {
  const known = TOOL_PARSERS[version.name];
  const found = known.find((name) => name === tool) ?? null;
  if (tool !== found) {
    throw new InvalidError(`the embedded server does not emulate the tool parser '${tool}'`, {
      hint: `it knows: ${known.join(', ')}`,
    });
  }
  if (reasoning !== null && reasoning !== 'qwen3') {
    throw new InvalidError(`the embedded server does not emulate the reasoning parser '${reasoning}'`, {
      hint: 'it knows: qwen3',
    });
  }
  return { tool: found, reasoning };
}
