import type { DialectName, History } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Lane } from '../schemas/types.ts';
import type { ChatDialect, Dialect } from './dialect.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';
import { tokensOf } from './tokens/index.ts';
import { vllmServe } from './vllm-serve.ts';

const CHAT: Partial<Record<DialectName, ChatDialect>> = {
  'nemo-rl-vllm': nemoRlVllm,
  'nemo-rl-trtllm': nemoRlTrtllm,
  'vllm-serve': vllmServe,
};

/** The dialect of a server that makes its own messages; undefined for any other. */
export const chatDialectOf = (server: DialectName): ChatDialect | undefined => CHAT[server];

/**
 * The dialect of a lane in one history; `oracle` has the lane's chat template. Throws {@link InvalidError} for a server kind that
 * is not spoken yet, and for a history that it cannot make.
 */
export function dialectOf(lane: Lane, history: History, oracle: Oracle, where: string): Dialect {
  if (lane.server === 'tokens') return tokensOf(lane, history, oracle, where);
  if (lane.tokens) {
    throw new InvalidError(`\`tokens:\` is not for the server kind ${lane.server}`, {
      where,
      hint: 'write server: tokens, or leave it out',
    });
  }
  const dialect = CHAT[lane.server];
  if (!dialect) {
    throw new InvalidError(`the server kind '${lane.server}' is not spoken yet`, {
      where,
      hint: `spoken: ${[...Object.keys(CHAT), 'tokens'].join(', ')}`,
    });
  }
  if (!dialect.histories.includes(history)) {
    throw new InvalidError(`a ${dialect.name} server cannot make ${history} prompts`, {
      where,
      hint: `it can: ${dialect.histories.join(', ')}`,
    });
  }
  return dialect;
}
