import { type ChatTokenizer, EOS } from '../../oracle/tokenizer.ts';
import type { Fault } from '../fault.ts';

/** Defects of the generated ids; the text follows the ids. */
export const generationFaults: readonly Fault[] = [
  {
    name: 'eos-trimmed',
    about: 'the terminal end-of-turn id is missing from the generated ids',
    generation: (ids) => (ids.at(-1) === EOS ? ids.slice(0, -1) : ids),
  },
  {
    name: 'flipped-generation-id',
    about: 'the first generated word is another word',
    generation(ids, { tokenizer }) {
      const at = ids.findIndex((id) => isWord(tokenizer, id));
      const word = ids[at];
      if (word === undefined) return ids;
      let other = word + 1;
      while (!isWord(tokenizer, other) && tokenizer.knows(other)) other++;
      return isWord(tokenizer, other) ? ids.with(at, other) : ids;
    },
  },
];

const isWord = (tokenizer: ChatTokenizer, id: number): boolean =>
  /^ ?[A-Za-z]+$/.test(tokenizer.decode([id]));
