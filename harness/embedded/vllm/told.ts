import type { Generated } from '../generate.ts';

/** A finished generation with what it was made from. */
export interface Told {
  prompt: readonly number[];
  generated: Generated;
  thinking: boolean;
}
