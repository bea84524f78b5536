import type { DialectName } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';
import { vllmServe } from './vllm-serve.ts';

const DIALECTS: Partial<Record<DialectName, Dialect>> = {
  'nemo-rl-vllm': nemoRlVllm,
  'nemo-rl-trtllm': nemoRlTrtllm,
  'vllm-serve': vllmServe,
};

/** The dialect of a server kind. Throws {@link InvalidError} for one that is not spoken yet. */
export function dialectOf(name: DialectName, where: string): Dialect {
  const dialect = DIALECTS[name];
  if (dialect) return dialect;
  throw new InvalidError(`the server kind '${name}' is not spoken yet`, {
    where,
    hint: `spoken: ${Object.keys(DIALECTS).join(', ')}`,
  });
}
