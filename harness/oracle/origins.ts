import { isObject, type Json } from '../json/value.ts';
import { nfc } from './normalize.ts';
import type { ChatTokenizer } from './tokenizer.ts';
import type { Source, Span } from './tracing.ts';

/** What an id of a prompt came from: a part of the request, or the generation that a message carries. */
export type Origin = Source | { from: 'carried'; index: number };

/** Ids with their origins: two where a token reaches over a border, none where it is not known. */
export interface TracedIds {
  ids: readonly number[];
  origins: readonly (readonly Origin[])[];
}

/** Origins of the ids of a rendered text, by the bytes that each stands for. */
export function originsOf(
  tokenizer: ChatTokenizer,
  spans: readonly Span[] | undefined,
  ids: readonly number[],
): Origin[][] {
  const pieces = (spans ?? []).map(({ text, source }) => ({ text: nfc(text), source }));
  // The tokenizer may compose characters over a border of two pieces; then no byte can be told apart.
  if (pieces.map(({ text }) => text).join('') !== tokenizer.decode(ids)) return ids.map(() => []);
  let place = 0;
  let left = Buffer.byteLength(pieces[0]?.text ?? '');
  return ids.map((id) => {
    const origins: Origin[] = [];
    for (let bytes = tokenizer.bytes([id]).length; bytes > 0; ) {
      while (left === 0 && place < pieces.length) {
        place++;
        left = Buffer.byteLength(pieces[place]?.text ?? '');
      }
      const source = pieces[place]?.source;
      if (!source) break;
      if (!sameSource(origins.at(-1), source)) origins.push(source);
      const taken = Math.min(bytes, left);
      bytes -= taken;
      left -= taken;
    }
    return origins;
  });
}

const sameSource = (one: Origin | undefined, other: Origin): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** An origin in words; turns are counted by the answers before a message. */
export function originName(origin: Origin, messages: readonly Json[]): string {
  switch (origin.from) {
    case 'tools':
    case 'generation prompt':
      return origin.from;
    case 'template':
      return 'template';
    case 'carried':
      return `assistant turn ${turnOf(messages, origin.index)} (carried ids)`;
    case 'message':
      return messageName(messages, origin.index);
  }
}

function messageName(messages: readonly Json[], index: number): string {
  const role = roleOf(messages[index]);
  if (role === 'system') return 'system';
  if (role !== 'tool') return `${role} turn ${turnOf(messages, index)}`;
  let first = index;
  while (roleOf(messages[first - 1]) === 'tool') first--;
  return `tool result ${index - first + 1} turn ${turnOf(messages, index)}`;
}

const turnOf = (messages: readonly Json[], index: number): number =>
  1 + messages.slice(0, index).filter((message) => roleOf(message) === 'assistant').length;

function roleOf(message: Json | undefined): string {
  const role = isObject(message) ? message.get('role') : undefined;
  return typeof role === 'string' ? role : 'message';
}
