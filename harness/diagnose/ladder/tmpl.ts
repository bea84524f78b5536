import { blockCause } from '../block-causes.ts';
import { type Block, blocksOf, nameBlock } from '../blocks.ts';
import type { Step } from '../case.ts';
import { promptPair, regionOf } from '../prompt.ts';
import { around, divergence, shown } from '../text.ts';
import { prefixWins, seam, vanishedBlocks } from './splice.ts';
import { tok } from './tok.ts';

/** TMPL: the rendered text differs; says in which block. */
export const tmpl: Step = (found) => {
  const pair = promptPair(found);
  if (!pair || regionOf(pair) === 'carried') return undefined;
  // The same text in other ids, or carried ids put together otherwise, is no matter of the template.
  const spliced = pair.carried > 0 ? seam(found, pair) : prefixWins(found, pair);
  if (spliced || tok(found)) return undefined;
  const {
    names,
    oracle: { tokenizer },
  } = found;
  const texts = (a: string, b: string): string[] => {
    const place = divergence(a, b);
    return [`${names.good}: ${around(a, place)}`, `${names.bad}: ${around(b, place)}`];
  };
  const { good, bad, at } = pair;
  const [left, right] = [blocksOf(good, tokenizer), blocksOf(bad, tokenizer)];
  if (pair.carried === 0) {
    const vanished = vanishedBlocks(found, pair);
    const prompt = left.at(-1);
    if (vanished && !(prompt?.open && !right.at(-1)?.open)) {
      const { cause, says, evidence } = vanished;
      return { layer: 'TMPL', cause, says, evidence };
    }
  }
  const added = vanishedBlocks(found, { good: bad, bad: good });
  if (added) {
    const says = `${added.gone} ${added.gone.includes(' and ') ? 'stand' : 'stands'} in the prompt, where the other side has no such message`;
    return { layer: 'TMPL', says };
  }
  // What stands between two turns belongs to the one before.
  const between = left.findIndex((block) => block.from === at && bad[at] !== good[at]);
  const index = between > 0 ? between - 1 : left.findLastIndex((block) => block.from <= at);
  const block = left[index];
  const other = counterpart(block, right, index);
  if (!block) {
    return {
      layer: 'TMPL',
      says: 'the prompt begins with another text',
      evidence: texts(tokenizer.decode(good), tokenizer.decode(bad)),
    };
  }
  if (at === good.length && (right.length > left.length || !right.at(-1)?.open)) {
    return {
      layer: 'TMPL',
      says: `the prompt goes on for ${bad.length - at} ids behind ${nameBlock(block)}`,
      evidence: [`behind it: ${shown(tokenizer.decode(bad.slice(at)))}`],
    };
  }
  // The opened turn is the last thing in a prompt: without it the other prompt just ends.
  const opened = left.at(-1);
  if (opened?.open && right.at(-1)?.open !== true && at >= opened.from) {
    return {
      layer: 'TMPL',
      cause: 'generation-prompt-missing',
      says: 'the generation prompt is missing: no assistant turn is opened',
      evidence: [`one prompt ends with ${shown(opened.text)}, the other does not`],
    };
  }
  const goodText = block.text;
  const badText = other?.text ?? '';
  const place = divergence(goodText, badText);
  const name = nameBlock(block, place);
  const cause = blockCause(block, goodText, badText, name);
  const evidence = texts(goodText, badText);
  if (cause) return { layer: 'TMPL', ...cause, evidence: [...evidence, ...(cause.evidence ?? [])] };
  return { layer: 'TMPL', says: `${name} reads otherwise`, evidence };
};

const counterpart = (block: Block | undefined, others: readonly Block[], index: number): Block | undefined =>
  others[index]?.role === block?.role ? others[index] : others.find((other) => other.from === block?.from);
