import type { History } from '../../domain.ts';
import { InvalidError } from '../../errors.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import type { Lane, LaneTokens } from '../../schemas/types.ts';
import type { ChatDialect, Dialect } from '../dialect.ts';
import { nemoRlTrtllm, nemoRlVllm } from '../nemo-rl.ts';
import { vllmServe } from '../vllm-serve.ts';
import type { TokenApi } from './api.ts';
import { trtllmCompletions, vllmCompletions } from './completions.ts';
import { tokensDialect } from './dialect.ts';
import { sglang } from './sglang.ts';
import { vllmGenerate } from './vllm-generate.ts';

/** Every route that takes ids, by the name a lane file gives it. */
export const TOKEN_APIS: Record<LaneTokens['api'], TokenApi> = {
  'vllm-generate': vllmGenerate,
  'vllm-completions': vllmCompletions,
  sglang,
  'trtllm-completions': trtllmCompletions,
};

type Projection = NonNullable<LaneTokens['projection'][History]>;

const PROJECTIONS: Record<Projection, ChatDialect> = {
  'nemo-rl-vllm': nemoRlVllm,
  'nemo-rl-trtllm': nemoRlTrtllm,
  'vllm-serve': vllmServe,
};

/**
 * The dialect of a token lane in one history. Throws {@link InvalidError} for a lane that does not say how, or asks of the oracle
 * what it does not know.
 */
export function tokensOf(lane: Lane, history: History, oracle: Oracle, where: string): Dialect {
  const { tokens, parsers } = lane;
  if (!tokens) {
    throw new InvalidError('a lane of the server kind tokens needs `tokens:`', {
      where,
      hint: 'name the route and the server kind to stand in for: tokens: { api: vllm-generate, projection: { spliced: nemo-rl-vllm } }',
    });
  }
  const histories = (['spliced', 'rerendered'] as const).filter((name) => tokens.projection[name]);
  const name = tokens.projection[history];
  if (!name) {
    throw new InvalidError(`the lane has no projection for ${history} prompts`, {
      where,
      hint: `it has: ${histories.join(', ')}; choose with --history, or add one under tokens.projection`,
    });
  }
  const projection = PROJECTIONS[name];
  const mode = { thinking: true, tools: true, definitions: [] };
  if (!oracle.parse({ server: name, parsers }, [], mode)) {
    throw new InvalidError(
      `the oracle does not know ${name}'s parsers ${parsers.tool} and ${parsers.reasoning}`,
      {
        where,
        hint: 'on a token lane it is the oracle that parses; see harness/oracle/speaker.ts for what it knows',
      },
    );
  }
  return tokensDialect({ api: TOKEN_APIS[tokens.api], projection, parsers, histories, oracle });
}
