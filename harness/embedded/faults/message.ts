import type { JsonObject } from '../../json/value.ts';
import { EOS } from '../../oracle/tokenizer.ts';
import type { Fault } from '../fault.ts';

const TOKEN_FIELDS = ['prompt_token_ids', 'generation_token_ids', 'generation_log_probs'];

/** Defects of detokenization, of the reasoning parser and of the message's fields. */
export const messageFaults: readonly Fault[] = [
  {
    name: 'half-character-replaced',
    about: 'a character that a cut left unfinished comes out as U+FFFD instead of being held back',
    message(message, { tokenizer, generation, text }) {
      const whole = tokenizer.decode(generation);
      if (!whole.startsWith(text) || !whole.endsWith('\uFFFD')) return message;
      return appended(message, whole.slice(text.length));
    },
  },
  {
    name: 'eos-text-in-content',
    about: 'the end-of-turn token is spelled at the end of content',
    message(message, { generation }) {
      const content = message.get('content');
      if (typeof content !== 'string' || generation.at(-1) !== EOS) return message;
      return new Map(message).set('content', `${content}<|im_end|>`);
    },
  },
  {
    name: 'reasoning-in-content',
    about: 'reasoning stays in content, tags and all',
    message(message) {
      const reasoning = message.get('reasoning');
      if (typeof reasoning !== 'string') return message;
      const content = message.get('content') ?? '';
      return new Map(message)
        .set('content', `<think>${reasoning}</think>${String(content)}`)
        .set('reasoning', null);
    },
  },
  {
    name: 'content-stripped',
    about: 'blanks around content are stripped',
    message(message) {
      const content = message.get('content');
      return typeof content === 'string' ? new Map(message).set('content', content.trim()) : message;
    },
  },
  {
    name: 'ids-missing',
    about: 'the message carries no token ids and no log-probs',
    message(message) {
      const out: JsonObject = new Map(message);
      for (const key of TOKEN_FIELDS) out.delete(key);
      return out;
    },
  },
];

/** The tail goes where the text ended: into content, or into reasoning while that is open. */
function appended(message: JsonObject, tail: string): JsonObject {
  for (const key of ['content', 'reasoning']) {
    const said = message.get(key);
    if (typeof said === 'string') return new Map(message).set(key, said + tail);
  }
  return message;
}
