import type { Message, Sides, Step } from '../case.ts';
import { around, divergence, shown } from '../text.ts';

const LOST = '\uFFFD';
const STOP_TEXTS = ['<|im_end|>', '<|endoftext|>'];
const SPECIAL = /<\|[a-z_]+\|>/g;
/** Fields that carry generated text. */
const TEXT_FIELDS = ['content', 'reasoning'] as const;

/** DETOK: equal ids, other text, before any parser. */
export const detok: Step = (found) => {
  const { names } = found;
  const { good, bad } = found.said;
  if (!isTextFinding(found) || !good || !bad) return undefined;
  const layer = 'DETOK' as const;
  const echoed = promptEcho(found, good, bad);
  if (echoed) return { layer, ...echoed };
  for (const field of TEXT_FIELDS) {
    const [left, right] = [good[field] ?? '', bad[field] ?? ''];
    if (left === right) continue;
    const at = divergence(left, right);
    const evidence = [
      `${field}, ${names.good}: ${around(left, at)}`,
      `${field}, ${names.bad}: ${around(right, at)}`,
    ];
    const stop = STOP_TEXTS.find((text) => right.endsWith(text) && !left.endsWith(text));
    if (stop && right === left + stop) {
      return { layer, cause: 'stop-text-kept', says: `${stop} is spelled at the end of ${field}`, evidence };
    }
    if (SPECIAL.test(left) && left.replace(SPECIAL, '') === right) {
      const gone = [...new Set(left.match(SPECIAL))].join(' ');
      return {
        layer,
        cause: 'special-tokens-dropped',
        says: `special tokens are missing from ${field}: ${gone}`,
        evidence,
      };
    }
    const trimmed = (text: string): string => text.replace(/[ \uFFFD]+$/, '');
    if (trimmed(left) === trimmed(right) && (left.endsWith(LOST) || right.endsWith(LOST))) {
      const word = right.endsWith(LOST) ? 'shown as U+FFFD' : 'left out';
      return {
        layer,
        cause: 'half-character',
        says: `the character that the cut left unfinished is ${word} in ${field}`,
        evidence,
      };
    }
    const [fewer, more] = [lostIn(left), lostIn(right)];
    if (fewer !== more && plain(left) === plain(right)) {
      const word =
        more > fewer ? 'comes out as U+FFFD' : 'is put together that the other side shows as U+FFFD';
      return {
        layer,
        cause: 'per-token-decode',
        says: `a character of several tokens ${word} in ${field}`,
        evidence,
      };
    }
  }
  return undefined;
};

const lostIn = (text: string): number => text.split(LOST).length - 1;
/** What decoding token by token leaves alone. */
const plain = (text: string): string => text.replace(/[^\u0000-\u007f]+/g, '?');

const isTextFinding = ({ field }: Sides): boolean =>
  ['content', 'reasoning', 'conservation', 'expect'].includes(field);

/** The text begins with the prompt, or with its last line. */
function promptEcho(
  { turn, oracle: { tokenizer } }: Sides,
  good: Message,
  bad: Message,
): { cause: 'prompt-echoed'; says: string; evidence: string[] } | undefined {
  const ids = turn?.prompt_token_ids ?? [];
  for (const field of TEXT_FIELDS) {
    const [left, right] = [good[field] ?? '', bad[field] ?? ''];
    if (left === right || right.length <= left.length || !right.endsWith(left)) continue;
    const added = right.slice(0, right.length - left.length);
    if (added.length < 8 || !tokenizer.decode(ids).endsWith(added)) continue;
    return {
      cause: 'prompt-echoed',
      says: `${field} begins with the last ${added.length} characters of the prompt`,
      evidence: [`added: ${shown(added)}`],
    };
  }
  return undefined;
}
