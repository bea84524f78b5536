import type { ChatTokenizer } from '../oracle/tokenizer.ts';

const FIRST = 0x4e00;
const LAST = 0x9ffe;
/** Rows of tokenizer.json's vocabulary that are looked through for characters that merge. */
const VOCABULARY_END = 151643;

/**
 * The code alphabet: CJK characters that are one token and occur in no longer token, so that any string of them tokenizes
 * character by character. In the order in which a codebook takes them (5,523 for Qwen3).
 */
export function alphabet(tokenizer: ChatTokenizer): string[] {
  const single = new Set<string>();
  const merging = new Set<string>();
  for (let id = 0; id < VOCABULARY_END; id++) {
    const chars = [...tokenizer.decode([id])];
    const [only] = chars;
    if (chars.length === 1 && only !== undefined) single.add(only);
    else for (const char of chars) merging.add(char);
  }
  const out: string[] = [];
  for (let code = LAST; code >= FIRST; code--) {
    const char = String.fromCharCode(code);
    if (single.has(char) && !merging.has(char)) out.push(char);
  }
  return out;
}
