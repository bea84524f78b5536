import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json } from '../json/value.ts';
import { DROPPED } from './qwen3-coder-scan.ts';
import { contentQwen3CoderVllm, toolsQwen3CoderVllm, VllmToolError } from './qwen3-coder-vllm.ts';
import { reasoningQwen3 } from './reasoning.ts';
import { parseReply } from './speaker.ts';
import { loadTokenizer } from './tokenizer.ts';
import { specialTexts } from './vllm-0.32.ts';

/** What the real parsers of vLLM 0.25.1 made of every text, all with the same tools. */
interface Vectors {
  made_with: Record<string, string>;
  /** The tool parser alone; in place of the calls the exception that it raised. */
  alone: [what: string, text: string, content: string | null, calls: Call[] | string][];
  /** Behind the qwen3 reasoning parser, as the chat layer shows it. */
  whole: [
    what: string,
    text: string,
    tools: 'auto' | 'none' | 'absent',
    thinking: boolean,
    reasoning: string | null,
    content: string | null,
    calls: Call[],
  ][];
}
type Call = [name: string, args: string];

const text = readFileSync(new URL('./qwen3-coder-vllm.vectors.json', import.meta.url), 'utf8');
const vectors = JSON.parse(text) as Vectors; // made by a script of ours, in this shape
const lossless = parseJson(text);
const given = isObject(lossless) ? lossless.get('tools') : undefined;
const tools: Json[] = Array.isArray(given) ? given : [];
const tokenizer = loadTokenizer();

const pairs = (calls: readonly { name: string; arguments: string }[]): Call[] =>
  calls.map((call) => [call.name, call.arguments]);
const call = (name: string, value: string): string =>
  `<tool_call>\n<function=t>\n<parameter=${name}>\n${value}\n</parameter>\n</function>\n</tool_call>`;

test('the vectors are those of vLLM 0.25.1', () => {
  expect(vectors.made_with).toMatchObject({ vllm: '0.25.1', tool_parser: 'qwen3_coder' });
  expect([vectors.alone.length, vectors.whole.length, tools.length]).toEqual([108, 66, 5]);
});

describe("vLLM's qwen3_coder parser reads as the real one", () => {
  test.each(vectors.alone)('%s', (_, said, content, calls) => {
    if (typeof calls === 'string')
      return expect(() => toolsQwen3CoderVllm(said, tools)).toThrow(VllmToolError);
    const parsed = toolsQwen3CoderVllm(said, tools);
    expect([parsed.content, pairs(parsed.calls)]).toEqual([content, calls]);
  });
});

describe('behind the reasoning parser it shows as the real one', () => {
  const shown = vectors.whole.filter(([, , offered]) => offered !== 'none');
  test.each(shown)('%s', (_, said, offered, thinking, reasoning, content, calls) => {
    const parsed = parse(said, thinking, offered === 'auto' ? tools : undefined);
    expect([parsed?.reasoning, parsed?.content, pairs(parsed?.calls ?? [])]).toEqual([
      reasoning,
      content,
      calls,
    ]);
  });
});

describe('with tools offered and none wanted it shows content as the real one', () => {
  const unwanted = vectors.whole.filter(([, , offered]) => offered === 'none');
  test.each(unwanted)('%s', (_, said, _offered, thinking, _reasoning, content) => {
    const behind = reasoningQwen3(said, thinking).content ?? '';
    expect(contentQwen3CoderVllm(behind, tools)).toBe(content);
  });
});

function parse(said: string, thinking: boolean, definitions: Json[] | undefined) {
  const speaker = { server: 'nemo-rl-vllm', parsers: { tool: 'qwen3_coder', reasoning: 'qwen3' } } as const;
  const reply = parseReply(tokenizer, speaker, said, {
    thinking,
    tools: definitions !== undefined,
    definitions,
  });
  return reply.outcome === 'message' ? reply.message : undefined;
}

test('integers of more than 4300 digits stay text, as Python refuses them', () => {
  const longest = '1'.repeat(4300);
  const [read, kept] = [longest, `${longest}1`].map((digits) =>
    toolsQwen3CoderVllm(call('i', digits), tools),
  );
  expect(read?.calls[0]?.arguments).toBe(`{"i": ${longest}}`);
  expect(kept?.calls[0]?.arguments).toBe(`{"i": "${longest}1"}`);
});

test('half a surrogate pair, properties that are no object and a name that is no text make the server fail', () => {
  const list = parseJson('[{"function":{"name":"t","parameters":{"properties":[1]}}}]');
  const wrong = Array.isArray(list) ? list : [];
  expect(() => toolsQwen3CoderVllm(call('o', '"\\ud83d"'), tools)).toThrow('half of a surrogate pair');
  expect(() => toolsQwen3CoderVllm(call('i', '1'), wrong)).toThrow('properties that are no object');
  expect(parse(`</think>${call('o', '"\\ud83d"')}`, true, tools)).toBeUndefined();
});

test('without the definitions of the tools there is no opinion on calls', () => {
  const parsers = { tool: 'qwen3_coder', reasoning: 'qwen3' };
  const said = `</think>${call('i', '1')}`;
  expect(
    parseReply(tokenizer, { server: 'nemo-rl-vllm', parsers }, said, { thinking: true, tools: true }),
  ).toEqual({ outcome: 'unknown', why: 'the definitions of the tools are not known' });
});

test('the tokens that the parser drops are the special ones of the vocabulary', () => {
  expect([...DROPPED].sort()).toEqual([...specialTexts(tokenizer)].sort());
});
