import { isJson } from '../../json/is-json.ts';

/** A call that is still being written; `arguments` as far as they are there. */
export interface PartialCall {
  name: string;
  arguments: string;
}

export const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/** A text without an end that may become one of the tags. */
export function withoutPartial(text: string, tags: readonly string[]): string {
  const held = tags.map((tag) => {
    for (let length = tag.length - 1; length > 0; length--)
      if (text.endsWith(tag.slice(0, length))) return length;
    return 0;
  });
  return text.slice(0, text.length - Math.max(0, ...held));
}

/**
 * The same as vLLM 0.32 streams it: arguments are all that is written behind their key, whatever it is, without the brace that
 * closes the call once the call is whole.
 */
export function callsIn032(text: string): PartialCall[] {
  const calls: PartialCall[] = [];
  for (const { part, closed } of blocksIn(text)) {
    const json = (closed ? part : withoutPartial(part, [CLOSE])).trim();
    const name = nameIn(json);
    if (name === undefined) break;
    calls.push({ name, arguments: writtenArguments(json, closed || isJson(json)) });
  }
  return calls;
}

/** What stands between tags; an opening tag inside a block belongs to it, and the last block may lack its end. */
function blocksIn(text: string): { part: string; closed: boolean }[] {
  const blocks = [...text.matchAll(/<tool_call>(.*?)(<\/tool_call>|$)/gs)];
  return blocks.map(([, part = '', end]) => ({ part, closed: end !== '' }));
}

function writtenArguments(json: string, whole: boolean): string {
  const found = KEY.exec(json);
  const raw = found ? json.slice(found.index + found[0].length) : '';
  return whole ? raw.trimEnd().replace(/\}$/, '').trimEnd() : raw;
}

const KEY = /"arguments"\s*:\s*/;
const nameIn = (json: string): string | undefined => /"name"\s*:\s*"([^"]+)"/.exec(json)?.[1];

/** Every block whose name is complete; a block without one ends the list. */
export function callsIn(text: string): PartialCall[] {
  const calls: PartialCall[] = [];
  for (const part of text.split(OPEN).slice(1)) {
    const end = part.indexOf(CLOSE);
    const json = end === -1 ? withoutPartial(part, [CLOSE]) : part.slice(0, end);
    const name = nameIn(json);
    if (name === undefined) break;
    calls.push({ name, arguments: argumentsIn(json) });
  }
  return calls;
}

/** The value behind `"arguments":`, as far as it is written. */
function argumentsIn(json: string): string {
  const found = KEY.exec(json);
  if (!found) return '';
  const raw = json.slice(found.index + found[0].length);
  const open = raw[0];
  if (open !== '{' && open !== '[') return raw.trimEnd().replace(/\}$/, '');
  const close = open === '{' ? '}' : ']';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === open) depth++;
    else if (!quoted && char === close && --depth === 0) return raw.slice(0, at + 1);
  }
  return raw;
}
