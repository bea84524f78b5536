import { splicePrompt } from '../../oracle/splice.ts';
import { EOS } from '../../oracle/tokenizer.ts';
import type { Fault } from '../fault.ts';

/** Defects of the splice; all but the last need carried ids. */
export const promptFaults: readonly Fault[] = [
  {
    name: 'prefix-ignored',
    about: 'carried ids are ignored and the conversation is rendered again',
    prompt: (_ids, { template }) => template,
  },
  {
    name: 'positional-splice',
    about: 'the template is cut where the rendered prefix ends, not at its N-th end-of-turn id',
    prompt(ids, { prefix, template, templatePrefix }) {
      const cut = templatePrefix.lastIndexOf(EOS);
      if (!prefix || prefix.length === 0 || cut === -1) return ids;
      const kept = prefix.at(-1) === EOS ? prefix.slice(0, -1) : prefix;
      return [...kept, ...template.slice(cut)];
    },
  },
  {
    name: 'retokenized-history',
    about: 'the carried prefix is decoded and encoded again',
    prompt(ids, { prefix, template, templatePrefix, tokenizer }) {
      if (!prefix) return ids;
      const again = tokenizer.encode(tokenizer.decode(prefix));
      return splicePrompt({ prefix: again, template, templatePrefix })?.ids ?? ids;
    },
  },
  {
    name: 'user-message-lost',
    about: 'the first user turn is missing from the prompt, once a later one carries the conversation on',
    prompt(ids, { tokenizer }) {
      const opening = tokenizer.encode('<|im_start|>user\n');
      const starts = ids.flatMap((_, at) => (opening.every((id, n) => ids[at + n] === id) ? [at] : []));
      const [first] = starts;
      if (first === undefined || starts.length < 2) return ids;
      const end = ids.indexOf(EOS, first) + 2; // and the newline after it
      return [...ids.slice(0, first), ...ids.slice(end)];
    },
  },
];
