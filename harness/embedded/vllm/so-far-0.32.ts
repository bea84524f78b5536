import { specialTexts } from '../../oracle/vllm-0.32.ts';
import { callsIn032, OPEN, withoutPartial } from './hermes-stream.ts';
import { endOfReasoning, isReasoning } from './reasoning-tokens.ts';
import type { SoFar } from './so-far.ts';
import type { Chat } from './started.ts';

const CLOSE = '</think>';
const TAGS = [
  '<think>',
  CLOSE,
  OPEN,
  '</tool_call>',
  '<function=',
  '</function>',
  '<parameter=',
  '</parameter>',
];

/** Where a stream is: the ids up to now, their text, and how ids become text. */
export interface Position {
  ids: readonly number[];
  text: string;
  finished: boolean;
  /** Whether a stop string ended it, and so cut the text before the end of the ids. */
  cut: boolean;
  toText(ids: readonly number[]): string;
}

/**
 * What vLLM 0.32 has streamed up to now. Reasoning goes by ids, unlike in an answer at once: spelled tags are part of it, and an
 * end that may become a tag or a special token is held back. What follows is given out as it is, closing tags and special
 * tokens included; with `tools` the `hermes` parser holds back what may become a call, and keeps it when nothing follows.
 */
export function soFar032(
  { ids, text, finished, cut, toText }: Position,
  { version, renderer: { tokenizer } }: Chat,
  { thinking, tools }: { thinking: boolean; tools: boolean },
): SoFar {
  const end = thinking ? endOfReasoning(ids) : 0;
  const reasoning = toText(ids.slice(0, end).filter((id) => isReasoning(id, tokenizer)));
  if (end === ids.length && thinking) {
    if (cut)
      return { reasoning: version.split(text, true, tokenizer).reasoning ?? '', content: '', calls: [] };
    const known = finished ? reasoning : withoutPartial(reasoning, [...TAGS, ...specialTexts(tokenizer)]);
    return { reasoning: known, content: '', calls: [] };
  }
  const said = thinking ? text.slice(toText(ids.slice(0, end)).length) : text;
  const rest = thinking && said.startsWith(CLOSE) ? said.slice(CLOSE.length) : said;
  if (!tools) return { reasoning, content: rest, calls: [] };
  const at = rest.indexOf(OPEN);
  if (at === -1) return { reasoning, content: withoutPartial(rest, [OPEN]), calls: [] };
  return { reasoning, content: rest.slice(0, at), calls: callsIn032(rest.slice(at)) };
}
