import { sameIds } from '../../oracle/same-ids.ts';
import type { Step } from '../case.ts';
import { promptPair, regionOf } from '../prompt.ts';
import { idsAt, named } from '../text.ts';

/** TOK: the same text with other ids, or a special id in front. */
export const tok: Step = (found) => {
  const pair = promptPair(found);
  if (!pair || regionOf(pair) === 'carried') return undefined;
  const { good, bad, at } = pair;
  const {
    names,
    oracle: { tokenizer },
  } = found;
  const extra = [
    { longer: bad, shorter: good, word: 'too many' },
    { longer: good, shorter: bad, word: 'too few' },
  ].find(({ longer, shorter }) => longer[0] !== undefined && sameIds(longer.slice(1), shorter));
  const first = extra?.longer[0];
  if (extra && first !== undefined && tokenizer.isSpecial(first)) {
    return {
      layer: 'TOK',
      cause: 'double-bos',
      says: `one special id ${extra.word} at the start of the prompt: ${named(tokenizer, first)}`,
      evidence: [`${names.good}: ${idsAt(tokenizer, good, 0)}`, `${names.bad}: ${idsAt(tokenizer, bad, 0)}`],
    };
  }
  if (tokenizer.decode(good) !== tokenizer.decode(bad)) return undefined;
  return {
    layer: 'TOK',
    cause: 'other-tokenization',
    says: `the same text has other ids from index ${at} on`,
    evidence: [`${names.good}: ${idsAt(tokenizer, good, at)}`, `${names.bad}: ${idsAt(tokenizer, bad, at)}`],
  };
};
