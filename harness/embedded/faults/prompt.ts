import { splicePrompt } from '../../oracle/splice.ts';
import { EOS } from '../../oracle/tokenizer.ts';
import type { Fault, PromptContext } from '../fault.ts';
import { NEMO_RL, TRTLLM } from '../kinds.ts';
import { refused } from '../nemo-rl-trtllm/refused.ts';

/** Defects of the splice, which need carried ids, and of the prompt as such. */
export const promptFaults: readonly Fault[] = [
  {
    name: 'prefix-ignored',
    about: 'carried ids are ignored and the conversation is rendered again',
    servers: NEMO_RL,
    prompt: (_ids, { template }) => template,
  },
  {
    name: 'positional-splice',
    about: 'the template is cut where the rendered prefix ends, not at its N-th end-of-turn id',
    servers: NEMO_RL,
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
    servers: NEMO_RL,
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
  {
    name: 'user-message-vanishes',
    about: 'the splice resumes one end-of-turn id too late: the message behind the carried turn is lost',
    servers: NEMO_RL,
    prompt(ids, context) {
      const splice = spliced(context);
      const next = splice ? context.template.indexOf(EOS, splice.cut + 1) : -1;
      return splice && next !== -1 ? [...splice.kept, ...context.template.slice(next)] : ids;
    },
  },
  {
    name: 'turn-separator-lost',
    about: 'the newline the template puts behind a turn is missing behind the carried one',
    servers: NEMO_RL,
    prompt(ids, context) {
      const splice = spliced(context);
      return splice ? [...splice.kept, EOS, ...context.template.slice(splice.cut + 2)] : ids;
    },
  },
  {
    name: 'generation-prompt-lost',
    about: 'the prompt ends with the last message, no assistant turn is opened',
    prompt(ids) {
      const end = ids.lastIndexOf(EOS) + 2; // and the newline after it
      return end > 1 ? ids.slice(0, end) : ids;
    },
  },
  {
    name: 'unpack-broken',
    about: 'TensorRT-LLM hands over one value more than the server unpacks, so every chat request is refused',
    servers: TRTLLM,
    prompt() {
      throw refused('too many values to unpack (expected 3)');
    },
  },
];

/** What a sound splice keeps and where it resumes; undefined without carried ids. */
function spliced({ prefix, template, templatePrefix }: PromptContext) {
  const splice = prefix ? splicePrompt({ prefix, template, templatePrefix }) : undefined;
  return splice && { kept: splice.ids.slice(0, splice.kept), cut: splice.cut };
}
