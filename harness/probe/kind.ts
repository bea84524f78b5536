import type { DialectName } from '../domain.ts';
import { type Fact, measured, unknown } from './fact.ts';
import { accepts, type Gated } from './gate.ts';
import type { Presences } from './routes.ts';

/** What tells server kinds apart. */
export interface Traits {
  /** Places of ids in an answer to the harness's own request, and with ids asked for. */
  plainIds: readonly string[];
  askedIds: readonly string[];
  gated: readonly Gated[];
  presences: Presences;
  /** The name reasoning has on a message. */
  reasoning: string | undefined;
  fingerprint: string | undefined;
  /** Token routes that work, by their names in a lane. */
  tokenApis: readonly string[];
}

/** A kind and the signs for and against it. */
export interface Kind {
  server: DialectName | undefined;
  fact: Fact;
}

type Nemo = 'nemo-rl-vllm' | 'nemo-rl-trtllm';
type Sign = readonly [kind: Nemo, sign: string];

/** The server kind: where ids lie decides the family, and what NeMo-RL's two servers do differently decides between them. */
export function kindOf(traits: Traits): Kind {
  if (traits.plainIds.includes('message.generation_token_ids')) return nemoKind(traits);
  if (traits.askedIds.includes('body.prompt_token_ids') && traits.askedIds.includes('choice.token_ids')) {
    const signs = ['ids beside the message, on request', ...routeSigns(traits.presences)];
    return {
      server: 'vllm-serve',
      fact: measured('server kind', 'vllm-serve', `signs: ${signs.join('; ')}`),
    };
  }
  return { server: undefined, fact: unknown('server kind', ...foreign(traits)) };
}

function nemoKind(traits: Traits): Kind {
  const signs = nemoSigns(traits);
  const of = (kind: Nemo): string[] => signs.filter(([name]) => name === kind).map(([, sign]) => sign);
  const vllm = of('nemo-rl-vllm');
  const trtllm = of('nemo-rl-trtllm');
  if (vllm.length === trtllm.length) {
    const lines = ["one of NeMo-RL's, but the signs disagree", `vLLM: ${vllm.join('; ')}`];
    return { server: undefined, fact: unknown('server kind', ...lines, `TRT-LLM: ${trtllm.join('; ')}`) };
  }
  const server: Nemo = vllm.length > trtllm.length ? 'nemo-rl-vllm' : 'nemo-rl-trtllm';
  const [pro, contra] = server === 'nemo-rl-vllm' ? [vllm, trtllm] : [trtllm, vllm];
  const lines = [server, `signs: ids on the message; ${pro.join('; ')}`];
  if (contra.length > 0) lines.push(`against it: ${contra.join('; ')}`);
  return { server, fact: measured('server kind', ...lines) };
}

function nemoSigns({ gated, presences, reasoning, fingerprint }: Traits): Sign[] {
  const signs: (Sign | undefined)[] = [
    sign(reasoning === 'reasoning', 'nemo-rl-vllm', 'message.reasoning'),
    sign(reasoning === 'reasoning_content', 'nemo-rl-trtllm', 'message.reasoning_content'),
    sign(accepts(gated, 'top_k -1'), 'nemo-rl-vllm', 'top_k -1 accepted'),
    sign(accepts(gated, 'top_k -1') === false, 'nemo-rl-trtllm', 'top_k -1 refused'),
    sign(accepts(gated, 'neither sent') === false, 'nemo-rl-vllm', 'temperature and top_p demanded'),
    sign(accepts(gated, 'neither sent'), 'nemo-rl-trtllm', 'temperature and top_p not demanded'),
    sign(presences['/tokenize'] === 'present', 'nemo-rl-vllm', '/tokenize'),
    sign(
      presences['/health'] === 'present' && presences['/tokenize'] === 'absent',
      'nemo-rl-trtllm',
      '/health without /tokenize',
    ),
    sign(fingerprint?.startsWith('vllm'), 'nemo-rl-vllm', 'a fingerprint of vLLM'),
  ];
  return signs.filter((entry) => entry !== undefined);
}

const sign = (holds: boolean | undefined, kind: Nemo, text: string): Sign | undefined =>
  holds ? [kind, text] : undefined;

const routeSigns = (presences: Presences): string[] =>
  (['/version', '/v1/models', '/tokenize'] as const).filter((route) => presences[route] === 'present');

/** What is missing, and whether another way of asking gives it. */
function foreign({ plainIds, askedIds, tokenApis }: Traits): string[] {
  const places = [...new Set([...plainIds, ...askedIds])];
  const lines = [
    places.length > 0
      ? `ids at ${places.join(', ')}: no known kind puts them there`
      : 'no ids in chat answers',
  ];
  if (tokenApis.length > 0) {
    lines.push(`ids in, ids out works (${tokenApis.join(', ')}): write a lane of the kind tokens by hand`);
  }
  return lines;
}
