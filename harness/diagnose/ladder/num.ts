import { sameIds } from '../../oracle/same-ids.ts';
import type { Explained, Sides, Step } from '../case.ts';
import { divergence, idsAt, named, shown } from '../text.ts';

/**
 * Below this margin, in nats, another kernel or batch may flip a choice: two steps of a bfloat16 logit between 16 and 32. Public
 * reports of flips at gaps of 0.125 and more: `vllm-project/vllm#55238`.
 */
export const NEAR_TIE = 0.25;
/** What is left of an exact tie after log-softmax in single precision. */
const TIE = 1e-6;

/** NUM: equal prompt, another id. The margin comes from the lane's log-probs where it sends alternatives. */
export const num: Step = (found) => {
  if (found.field === 'logprobs') return notGreedy(found);
  const { good, bad } = found.generation;
  if (found.field !== 'generation_token_ids' || !good || !bad) return undefined;
  const { tokenizer } = found.oracle;
  const shift = shifted(good, bad);
  if (shift) {
    const { ids, word } = shift;
    return {
      layer: 'UNKNOWN',
      says: `${ids.length} ${ids.length === 1 ? 'id' : 'ids'} too ${word} at index 0, the rest equal`,
      evidence: [`too ${word}: ${idsAt(tokenizer, ids, 0)}`],
    };
  }
  const at = divergence(good, bad);
  const count = differing(good, bad, at);
  const margin = marginAt(found, at);
  const evidence = [
    `index ${at}: ${named(tokenizer, good[at])} on one side, ${named(tokenizer, bad[at])} on the other; ${count} of ${Math.max(good.length, bad.length)} positions differ`,
    margin?.text ?? 'the lane sends no alternatives, so the margin is unknown',
    ...(found.script ? ['the model is scripted: a sound engine cannot come near a tie here'] : []),
  ];
  const other = `another id from index ${at} on`;
  if (!margin) return { layer: 'NUM', cause: 'other-id', says: `${other}; margin unknown`, evidence };
  const cause = margin.gap <= TIE ? 'tie' : margin.gap < NEAR_TIE ? 'near-tie' : 'confident-other-id';
  const words = { tie: 'a tie', 'near-tie': 'a near tie', 'confident-other-id': 'chosen with confidence' };
  return {
    layer: 'NUM',
    cause,
    says: `${other}: ${words[cause]}, margin ${margin.gap.toFixed(3)} nats`,
    evidence,
  };
};

/** Fewer equal ids at the end may be chance. */
const SURELY_SHIFTED = 4;

/** One reply is the end of the other: no engine chooses so, ids were put before it or cut off. */
function shifted(
  good: readonly number[],
  bad: readonly number[],
): { ids: readonly number[]; word: 'many' | 'few' } | undefined {
  const more = bad.length - good.length;
  const [longer, shorter] = more > 0 ? [bad, good] : [good, bad];
  const start = Math.abs(more);
  if (start === 0 || shorter.length < SURELY_SHIFTED || !sameIds(longer.slice(start), shorter))
    return undefined;
  return { ids: longer.slice(0, start), word: more > 0 ? 'many' : 'few' };
}

/** Positions from `at` on at which the two differ. Linear. */
function differing(a: readonly number[], b: readonly number[], at: number): number {
  let count = 0;
  for (let index = at; index < Math.max(a.length, b.length); index++) if (a[index] !== b[index]) count++;
  return count;
}

/** How far the lane's chosen id lies above the other side's, or above its best alternative where that is not listed. */
function marginAt(
  { turn, core, oracle: { tokenizer } }: Sides,
  at: number,
): { gap: number; text: string } | undefined {
  const chosen = turn?.logprobs?.[at];
  const id = turn?.generation_token_ids?.[at];
  if (typeof chosen !== 'number' || id === undefined) return undefined;
  const wanted = core?.generation[at] ?? core?.stop ?? undefined;
  const names = (of: number | undefined): string[] =>
    of === undefined ? [] : [`token_id:${of}`, tokenizer.decode([of])];
  const others = (turn?.top_logprobs?.[at] ?? []).flatMap(({ token, logprob }) =>
    logprob === null || names(id).includes(token) ? [] : [{ token, logprob }],
  );
  const listed = others.find(({ token }) => names(wanted).includes(token));
  const rival = listed ?? others.toSorted((a, b) => b.logprob - a.logprob)[0];
  if (!rival) return undefined;
  const gap = Math.max(0, chosen - rival.logprob);
  const who = listed ? 'the other side’s choice' : 'best alternative';
  return {
    gap,
    text: `margin ${gap.toFixed(3)} nats: chosen ${chosen.toFixed(3)}, ${who} ${shown(rival.token)} ${rival.logprob.toFixed(3)}${listed ? '' : '; the other side’s choice is not among the alternatives'}`,
  };
}

/** By its own log-probs the lane did not take the likeliest id: sampling, a penalty, or log-probs of other tokens. */
function notGreedy({ difference, turn }: Sides): Explained | undefined {
  const { index, summary } = difference;
  if (!summary.startsWith('not greedy') || index === null) return undefined;
  return {
    layer: 'NUM',
    cause: 'not-greedy',
    says: `an alternative is likelier than the id chosen at index ${index}`,
    evidence: [
      `log-prob of the chosen id: ${turn?.logprobs?.[index] ?? 'none'}`,
      'look at temperature, at penalties in generation_config.json, and whose log-probs these are',
    ],
    side: 'lane',
  };
}
