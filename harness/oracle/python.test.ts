import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { dumpsPython } from '../json/print.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { ChatTemplate } from './template.ts';
import { loadTokenizer } from './tokenizer.ts';

/** What Python makes of every probe; made by python/vectors.py, which says with which versions. */
interface Vectors {
  made_with: { tokenizer_sha256: string; template_sha256: string };
  /** Null where Python's tokenizer refuses the text. */
  encode: [text: string, ids: number[] | null][];
  decode: [ids: number[], text: string][];
  /** The request is JSON text: its numbers and key order must not pass through JavaScript values. */
  chat: { name: string; request: string; text?: string; ids?: number[]; error?: string }[];
  json: [text: string, printed: string][];
}

const file = new URL('./python/oracle.vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors; // our own generator's shape; no number in it is special
const tokenizer = loadTokenizer();
const template = new ChatTemplate(tokenizer.chatTemplate);

test('the vectors were made with this tokenizer and this template', () => {
  expect(vectors.made_with).toMatchObject({
    tokenizer_sha256: tokenizer.hash,
    template_sha256: template.hash,
  });
});

test('every text is tokenized as by Python', () => {
  const mine = vectors.encode.map(([text]) => [text, unlessRefused(() => tokenizer.encode(text))]);
  expect(mine).toEqual(vectors.encode);
  expect(counted(vectors.encode, ([, ids]) => ids === null)).toMatchInlineSnapshot(
    `"546 probes, 3 of them refused by both"`,
  );
});

test('every list of ids is detokenized as by Python', () => {
  const mine = vectors.decode.map(([ids]) => [ids, tokenizer.decode(ids)]);
  expect(mine).toEqual(vectors.decode);
  expect(counted(vectors.decode, () => false)).toMatchInlineSnapshot(
    `"307 probes, 0 of them refused by both"`,
  );
});

/** What the template engine cannot do, by the beginning of a probe's name. */
const KNOWN = {
  'list as a result':
    'Python prints a list that stands for text with repr(), the engine as JSON; servers join text parts before the template',
};
const isKnown = ({ name }: { name: string }): boolean =>
  Object.keys(KNOWN).some((start) => name.startsWith(start));

test('every conversation is rendered and tokenized as by Python', () => {
  const probes = vectors.chat.filter((probe) => !isKnown(probe));
  for (const { name, request, text = null, ids = null } of probes) {
    const mine = unlessRefused(() => render(request));
    expect(mine, name).toBe(text);
    expect(mine === null ? null : tokenizer.encode(mine), name).toEqual(ids);
  }
  expect(counted(probes, ({ error }) => error !== undefined)).toMatchInlineSnapshot(
    `"210 probes, 32 of them refused by both"`,
  );
});

test('the known differences of the template engine are still there', () => {
  const probes = vectors.chat.filter(isKnown);
  for (const { name, request, text } of probes) expect(render(request), name).not.toBe(text);
  expect(probes.map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "list as a result",
      "list as a result, tools, thinking off, no prompt",
    ]
  `);
});

test('every JSON text is printed as by Python', () => {
  const mine = vectors.json.map(([text]) => [text, dumpsPython(parseJson(text))]);
  expect(mine).toEqual(vectors.json);
  expect(counted(vectors.json, () => false)).toMatchInlineSnapshot(`"223 probes, 0 of them refused by both"`);
});

function render(request: string): string {
  const { messages, tools, kwargs, add_generation_prompt: prompt } = membersOf(parseJson(request));
  return template.render({
    messages: listOf(messages).map(objectOf),
    tools: tools === null ? undefined : listOf(tools),
    kwargs: objectOf(kwargs),
    addGenerationPrompt: prompt === true,
  });
}

function unlessRefused<T>(attempt: () => T): T | null {
  try {
    return attempt();
  } catch {
    return null;
  }
}

function counted<T>(probes: readonly T[], isRefused: (probe: T) => boolean): string {
  return `${probes.length} probes, ${probes.filter(isRefused).length} of them refused by both`;
}

const membersOf = (value: Json): Record<string, Json> => Object.fromEntries(objectOf(value));

function objectOf(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw new Error('a probe that is no object');
  return value;
}

function listOf(value: Json | undefined): Json[] {
  if (!Array.isArray(value)) throw new Error('a probe that is no list');
  return value;
}
