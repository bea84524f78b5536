import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json } from '../json/value.ts';
import { ENGINES, type Engine, type Forms, hasParsers } from './engines.ts';
import { CHECKED_AGAINST, SHARED_WITH_EMULATION } from './opinions.ts';
import type { Outcome } from './outcome.ts';
import { parseAs } from './speaker.ts';
import { loadTokenizer } from './tokenizer.ts';

type Call = [name: string, args: string];
type Answer = [reasoning: string | null, content: string | null, calls: Call[]] | string;
type Setup = [
  tool: 'json' | 'xml' | 'llama',
  reasoning: 'qwen3' | 'deepseek_r1' | null,
  thinking: boolean,
  offered: boolean,
];
type Case = [theme: string, name: string, text: string, setup: Setup, ...answers: Answer[]];

const file = readFileSync(new URL('./python/parsers.vectors.json', import.meta.url), 'utf8');
const vectors = JSON.parse(file) as { made_with: Record<string, string>; columns: unknown[]; cases: Case[] }; // made by python/parsers.py, in this shape
const lossless = parseJson(file);
const given = isObject(lossless) ? lossless.get('tools') : undefined;
const definitions: Json[] = Array.isArray(given) ? given : [];
const tokenizer = loadTokenizer();

/** A case as one engine answered it. */
interface Row {
  engine: Engine;
  theme: string;
  name: string;
  text: string;
  setup: Setup;
  answer: Answer;
}

const rows: Row[] = vectors.cases.flatMap(([theme, name, text, setup, ...answers]) =>
  ENGINES.map((engine, column) => {
    const own = answers[column] ?? 'absent';
    return { engine, theme, name, text, setup, answer: own === 'same' ? (answers[0] ?? 'absent') : own };
  }),
);

function mine({ engine, text, setup: [tool, reasoning, thinking, offered] }: Row): Answer {
  const forms: Forms = { tool, reasoning };
  if (!hasParsers(engine, forms)) return 'none';
  const mode = { thinking, tools: offered, definitions: offered ? definitions : [] };
  return spelled(parseAs(tokenizer, engine, forms, text, mode));
}

function spelled(outcome: Outcome): Answer {
  if (outcome.outcome !== 'message') return outcome.outcome;
  const { reasoning, content, calls } = outcome.message;
  return [reasoning, content, calls.map((call): Call => [call.name, call.arguments])];
}

/** An answer to compare: which exception fails a server is not ours to say. */
const comparable = (answer: Answer): string =>
  typeof answer === 'string' ? (answer.split(':')[0] ?? '') : JSON.stringify(answer);

const count = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
};

test('the answers are those of the two versions of vLLM and of the published sources of TensorRT-LLM', () => {
  expect(vectors.columns.slice(-3)).toEqual([...ENGINES]);
  expect(vectors.made_with).toMatchInlineSnapshot(`
    {
      "python": "3.11.7",
      "trtllm": "public sources near 1.3.0rc21",
      "vllm-0.25.1 transformers": "5.19.0",
      "vllm-0.25.1 version": "0.25.1",
      "vllm-0.32 transformers": "5.19.0",
      "vllm-0.32 version": "0.32.0",
    }
  `);
});

test('every reply is parsed as by the engines themselves', () => {
  const wrong = rows.filter((row) => comparable(mine(row)) !== comparable(row.answer));
  // Whether half of a surrogate pair fails vLLM's server or stays text depends on its pydantic, so there is no opinion on it.
  const undecided = wrong.filter((row) => row.name.startsWith('half a pair') && mine(row) === 'unknown');
  expect(wrong.filter((row) => !undecided.includes(row))).toEqual([]);
  expect(`${rows.length} answers, ${undecided.length} of them without an opinion`).toMatchInlineSnapshot(
    `"3645 answers, 10 of them without an opinion"`,
  );
});

const NAMES: Record<string, Record<Engine, string>> = {
  qwen3: { 'vllm-0.25.1': 'qwen3', 'vllm-0.32': 'qwen3', trtllm: 'qwen3' },
  deepseek_r1: { 'vllm-0.25.1': 'deepseek_r1', 'vllm-0.32': 'deepseek_r1', trtllm: 'deepseek-r1' },
  json: { 'vllm-0.25.1': 'hermes', 'vllm-0.32': 'hermes', trtllm: 'qwen3' },
  xml: { 'vllm-0.25.1': 'qwen3_coder', 'vllm-0.32': 'qwen3_coder', trtllm: 'qwen3_coder' },
  llama: { 'vllm-0.25.1': 'llama3_json', 'vllm-0.32': 'llama3_json', trtllm: '(none)' },
};

test('the table: cases per theme, parser and engine', () => {
  const answered = rows.filter(({ answer }) => answer !== 'none');
  const cells = answered.flatMap(({ engine, theme, setup: [tool, reasoning] }) =>
    [`tool ${tool}`, ...(reasoning ? [`reasoning ${reasoning}`] : [])].map((parser) => ({
      engine,
      theme,
      parser,
    })),
  );
  const counts = count(cells, ({ engine, theme, parser }) => `${theme}|${parser}|${engine}`);
  const themes = [...new Set(rows.map(({ theme }) => theme))];
  const parsers = ['tool json', 'tool xml', 'tool llama', 'reasoning qwen3', 'reasoning deepseek_r1'];
  const blocks = parsers.map((parser) => {
    const form = parser.split(' ')[1] ?? '';
    const total = (engine: Engine): number =>
      cells.filter((cell) => cell.parser === parser && cell.engine === engine).length;
    const head = ENGINES.map((engine) => `${NAMES[form]?.[engine]} on ${engine}: ${total(engine)}`);
    const line = themes
      .map((theme) => [theme, counts.get(`${theme}|${parser}|vllm-0.32`)] as const)
      .filter(([, cases]) => cases !== undefined)
      .map(([theme, cases]) => `${theme} ${cases}`);
    return `${parser}\n  ${head.join('; ')}\n  ${line.join(', ')}`;
  });
  const basis = ENGINES.map((engine) => `${engine}: ${CHECKED_AGAINST[engine]}`);
  expect(`\n${[...basis, ...blocks].join('\n')}\n`).toMatchInlineSnapshot(`
    "
    vllm-0.25.1: vLLM 0.25.1's parsers, run from its wheel without installing it, and recordings of NeMo-RL's server
    vllm-0.32: vLLM 0.32.0's parsers (CPU build), and recordings of the real server
    trtllm: the one-shot functions of TensorRT-LLM's published parsers near 1.3.0rc21 on stand-ins for the rest, and recordings made so; never an installed TensorRT-LLM
    tool json
      hermes on vllm-0.25.1: 643; hermes on vllm-0.32: 643; qwen3 on trtllm: 643
      single 27, parallel 8, none 45, malformed 49, missing end 58, empty arguments 14, complex types 12, interleaved text 30, duplicates 23, whitespace 31, doubled opener 23, special-token text 49, scalars 20, NaN 10, huge integers 6, escapes 18, reasoning plus call 40, random 180
    tool xml
      qwen3_coder on vllm-0.25.1: 462; qwen3_coder on vllm-0.32: 462; qwen3_coder on trtllm: 462
      single 12, parallel 6, none 20, malformed 24, missing end 40, empty arguments 10, complex types 20, interleaved text 24, duplicates 4, whitespace 14, doubled opener 8, special-token text 32, scalars 12, NaN 10, huge integers 6, escapes 10, reasoning plus call 30, random 180
    tool llama
      llama3_json on vllm-0.25.1: 110; llama3_json on vllm-0.32: 110; (none) on trtllm: 0
      single 4, parallel 4, none 5, malformed 8, missing end 2, empty arguments 4, complex types 3, interleaved text 3, duplicates 2, whitespace 3, doubled opener 2, special-token text 2, scalars 3, NaN 1, huge integers 1, escapes 3, random 60
    reasoning qwen3
      qwen3 on vllm-0.25.1: 575; qwen3 on vllm-0.32: 575; qwen3 on trtllm: 575
      single 27, parallel 7, none 45, malformed 39, missing end 69, empty arguments 12, complex types 16, interleaved text 39, duplicates 15, whitespace 24, doubled opener 17, special-token text 57, scalars 16, NaN 10, huge integers 6, escapes 14, reasoning plus call 42, random 120
    reasoning deepseek_r1
      deepseek_r1 on vllm-0.25.1: 218; deepseek_r1 on vllm-0.32: 218; deepseek-r1 on trtllm: 218
      single 6, none 10, malformed 10, missing end 12, interleaved text 4, duplicates 6, whitespace 6, doubled opener 6, special-token text 10, reasoning plus call 28, random 120
    "
  `);
});

test('where the engines differ: cases by parser', () => {
  const differing = vectors.cases.filter(([, , , , , ...others]) =>
    others.some((answer) => answer !== 'same'),
  );
  const pairs = differing.flatMap(([, , , [tool, reasoning], first, second, third]) => [
    ...(second === 'same' ? [] : [`${tool} behind ${reasoning ?? 'nothing'}: vLLM 0.25.1 and 0.32`]),
    ...(third === 'same' || third === 'none' || first === 'none'
      ? []
      : [`${tool} behind ${reasoning ?? 'nothing'}: vLLM 0.25.1 and TRT-LLM`]),
  ]);
  const lines = [...count(pairs, (pair) => pair)].map(([pair, cases]) => `${cases} × ${pair}`);
  expect(lines.sort()).toMatchInlineSnapshot(`
    [
      "110 × json behind deepseek_r1: vLLM 0.25.1 and TRT-LLM",
      "153 × xml behind nothing: vLLM 0.25.1 and TRT-LLM",
      "156 × json behind nothing: vLLM 0.25.1 and TRT-LLM",
      "177 × xml behind qwen3: vLLM 0.25.1 and TRT-LLM",
      "218 × json behind qwen3: vLLM 0.25.1 and TRT-LLM",
      "24 × json behind qwen3: vLLM 0.25.1 and 0.32",
      "46 × xml behind nothing: vLLM 0.25.1 and 0.32",
      "47 × xml behind qwen3: vLLM 0.25.1 and 0.32",
      "63 × xml behind deepseek_r1: vLLM 0.25.1 and TRT-LLM",
    ]
  `);
});

/** Modules of the oracle that decide how a reply is parsed; the others only put them together. */
const PARSERS = /\/oracle\/((?:reasoning|tools|qwen3-coder|vllm-0)[^']*)\.ts'/g;

test('the code that oracle and emulation share is what is declared so', () => {
  const folder = new URL('../embedded/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('faults'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const imported = sources.flatMap((source) => [...source.matchAll(PARSERS)].map(([, name = '']) => name));
  const declared = Object.values(SHARED_WITH_EMULATION).flat();
  expect([...new Set(declared)].sort()).toEqual([...new Set(imported)].sort());
});
