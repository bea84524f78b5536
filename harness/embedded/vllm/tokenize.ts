import { truthy } from '../../json/truthy.ts';
import type { Json, JsonObject } from '../../json/value.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { int, ints } from '../values.ts';

/** What `/tokenize` answers for ids, with the vocabulary's spelling on demand. */
export function tokensAnswer(
  ids: readonly number[],
  body: JsonObject,
  { tokenizer, maxModelLen }: { tokenizer: ChatTokenizer; maxModelLen: number },
): HttpAnswer {
  const strings = truthy(body.get('return_token_strs'));
  return jsonAnswer(
    200,
    new Map<string, Json>([
      ['count', int(ids.length)],
      ['max_model_len', int(maxModelLen)],
      ['tokens', ints(ids)],
      ['token_strs', strings ? ids.map((id) => piece(tokenizer, id)) : null],
    ]),
  );
}

const printable = (byte: number): boolean =>
  (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
const hidden = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !printable(byte));

/** A token as the vocabulary spells it: one printable stand-in per byte, added tokens as they are. */
function piece(tokenizer: ChatTokenizer, id: number): string {
  if (tokenizer.isAdded(id)) return tokenizer.decode([id]);
  const chars = [...tokenizer.bytes([id])].map((byte) =>
    String.fromCodePoint(printable(byte) ? byte : 256 + hidden.indexOf(byte)),
  );
  return chars.join('');
}
