import type { JsonObject } from '../../json/value.ts';
import { EOS } from '../../oracle/tokenizer.ts';
import type { Fault } from '../fault.ts';
import { TRTLLM, VLLM } from '../kinds.ts';

const TOKEN_FIELDS = ['prompt_token_ids', 'generation_token_ids', 'generation_log_probs'];

/** Defects of detokenization, of the reasoning parser and of the message's fields. */
export const messageFaults: readonly Fault[] = [
  {
    name: 'half-character-replaced',
    about: 'a character that a cut left unfinished comes out as U+FFFD instead of being held back',
    servers: VLLM,
    message(message, { tokenizer, generation, text }) {
      const whole = tokenizer.decode(generation);
      if (!whole.startsWith(text) || !whole.endsWith('\uFFFD')) return message;
      return appended(message, whole.slice(text.length));
    },
  },
  {
    name: 'half-character-dropped',
    about: 'a character that a cut left unfinished is left out instead of coming out as U+FFFD',
    servers: TRTLLM,
    message(message) {
      const content = message.get('content');
      return typeof content === 'string'
        ? new Map(message).set('content', content.replace(/\uFFFD+$/, ''))
        : message;
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
      const key = reasoningKey(message);
      const reasoning = message.get(key);
      if (typeof reasoning !== 'string' || reasoning === '') return message;
      const open = reasoning.startsWith('<think>') ? '' : '<think>';
      const content = message.get('content') ?? '';
      return new Map(message)
        .set('content', `${open}${reasoning}</think>${String(content)}`)
        .set(key, key === 'reasoning' ? null : '');
    },
  },
  {
    name: 'reasoning-field-renamed',
    about: 'reasoning goes under the name the other engine uses',
    message(message) {
      const key = reasoningKey(message);
      const other = key === 'reasoning' ? 'reasoning_content' : 'reasoning';
      return new Map([...message].map(([name, value]) => [name === key ? other : name, value]));
    },
  },
  {
    name: 'reasoning-start-assumed',
    about: 'every reply is taken to begin inside reasoning, whatever the prompt ended with',
    servers: TRTLLM,
    startsThinking: () => true,
  },
  {
    name: 'special-tokens-skipped',
    about: 'special tokens in the middle of a reply are missing from its text',
    message(message, { generation, tokenizer }) {
      const special = generation.filter((id) => tokenizer.isSpecial(id)).map((id) => tokenizer.decode([id]));
      const out: JsonObject = new Map(message);
      for (const key of ['content', reasoningKey(message)]) {
        const said = out.get(key);
        if (typeof said === 'string')
          out.set(
            key,
            special.reduce((text, token) => text.replaceAll(token, ''), said),
          );
      }
      return out;
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
    about: 'the answer carries no token ids, and its message no log-probs',
    message(message) {
      const out: JsonObject = new Map(message);
      for (const key of TOKEN_FIELDS) out.delete(key);
      return out;
    },
    choice: (choice) => withoutIds(choice, 'token_ids'),
    answer: (answer) => withoutIds(answer, 'prompt_token_ids'),
  },
];

/** Plain vLLM has the key without ids as well. */
const withoutIds = (from: JsonObject, key: string): JsonObject =>
  Array.isArray(from.get(key)) ? new Map(from).set(key, null) : from;

const reasoningKey = (message: JsonObject): string =>
  message.has('reasoning_content') ? 'reasoning_content' : 'reasoning';

/** The tail goes where the text ended: into content, or into reasoning while that is open. */
function appended(message: JsonObject, tail: string): JsonObject {
  for (const key of ['content', 'reasoning']) {
    const said = message.get(key);
    if (typeof said === 'string') return new Map(message).set(key, said + tail);
  }
  return message;
}
