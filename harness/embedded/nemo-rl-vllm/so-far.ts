import { reasoningQwen3 } from '../../oracle/reasoning.ts';

/** A text that is still being written, as a stream shows it. */
export interface SoFar {
  reasoning: string;
  content: string;
  calls: readonly { name: string; arguments: string }[];
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const THINK = ['<think>', '</think>', OPEN];

/**
 * What has been said up to now: a suffix that may become a tag is held back until the end. `tools` switches the `hermes`
 * stream parser on, which gives arguments in the model's own spelling.
 */
export function soFar(
  text: string,
  { thinking, tools, finished }: { thinking: boolean; tools: boolean; finished: boolean },
): SoFar {
  const known = finished ? text : withoutPartial(text, thinking ? THINK : [OPEN]);
  const split = reasoningQwen3(known, thinking);
  const content = split.content ?? '';
  const reasoning = split.reasoning ?? '';
  if (!tools) return { reasoning, content, calls: [] };
  const at = content.indexOf(OPEN);
  if (at === -1) return { reasoning, content, calls: [] };
  return { reasoning, content: content.slice(0, at), calls: callsIn(content.slice(at)) };
}

function withoutPartial(text: string, tags: readonly string[]): string {
  const held = tags.map((tag) => {
    for (let length = tag.length - 1; length > 0; length--)
      if (text.endsWith(tag.slice(0, length))) return length;
    return 0;
  });
  return text.slice(0, text.length - Math.max(0, ...held));
}

/** Every block whose name is complete; a block without one ends the list. */
function callsIn(text: string): { name: string; arguments: string }[] {
  const calls: { name: string; arguments: string }[] = [];
  for (const part of text.split(OPEN).slice(1)) {
    const end = part.indexOf(CLOSE);
    const json = end === -1 ? withoutPartial(part, [CLOSE]) : part.slice(0, end);
    const name = /"name"\s*:\s*"([^"]+)"/.exec(json)?.[1];
    if (name === undefined) break;
    calls.push({ name, arguments: argumentsIn(json) });
  }
  return calls;
}

/** The value behind `"arguments":`, as far as it is written. */
function argumentsIn(json: string): string {
  const found = /"arguments"\s*:\s*/.exec(json);
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
