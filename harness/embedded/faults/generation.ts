import { type ChatTokenizer, END_OF_TEXT, EOS } from '../../oracle/tokenizer.ts';
import type { Fault } from '../fault.ts';
import { TRTLLM, VLLM } from '../kinds.ts';

/** Defects of the generated ids; but for `eos-kept`, the text follows the ids. */
export const generationFaults: readonly Fault[] = [
  {
    name: 'stop-id-list-incomplete',
    about: 'only the end of turn stops a reply: it runs on past the end of text',
    servers: TRTLLM,
    stopIds: (ids) => new Set([...ids].filter((id) => id !== END_OF_TEXT)),
  },
  {
    name: 'eos-kept',
    about: 'the stop id at the end stays in the generated ids, though not in the text',
    servers: TRTLLM,
    trim: (_ids, { raw }) => raw,
  },
  {
    name: 'eos-trimmed',
    about: 'the terminal end-of-turn id is missing from the generated ids',
    servers: VLLM,
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
