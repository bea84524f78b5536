import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../json/value.ts';
import { KNOWN_DROPS, type KnownDrop, type Place } from './drops.ts';
import { ENGINES, type Engine, type Forms, hasParsers } from './engines.ts';
import { parseAs } from './speaker.ts';
import { loadTokenizer } from './tokenizer.ts';

/**
 * Conservation: every word of a reply shows up in reasoning, content or a call of what an engine's parsers make of it, unless
 * it stands where that engine is known to drop it. Replies are made of pieces whose words carry the place they stand in.
 */
type PlaceOrKept = Place | 'kept';
interface Piece {
  text: string;
  /** One place per word, in order; words are written as `@`. */
  places: PlaceOrKept[];
}

const piece = (text: string, ...places: PlaceOrKept[]): Piece => ({ text, places });

const THOUGHTS: Piece[] = [
  piece(''),
  piece('<think>@</think>', 'kept'),
  piece('@</think>', 'kept'),
  piece('<think>@', 'kept'),
  piece('@<think>@</think>', 'before the opening think tag', 'kept'),
  piece('@<think>@', 'before the opening think tag', 'kept'),
];

const BESIDE: Piece = piece(' @ ', 'beside calls, before the first');

const PIECES: Record<'json' | 'xml' | 'llama', Piece[]> = {
  json: [
    piece('<tool_call>\n{"name": "@", "arguments": {"k": "@"}}\n</tool_call>', 'kept', 'kept'),
    piece(
      '<tool_call>{"name": "@", "arguments": ["@"]}</tool_call>',
      'a call on one line',
      'a call on one line',
    ),
    piece('<tool_call>\n{@}\n</tool_call>', 'a block that is no call'),
    piece('<tool_call>\n{"arguments": {"k": "@"}}\n</tool_call>', 'a call without a name'),
    piece(
      '<tool_call>\n{"name": "@", "arguments": {}, "x": "@"}\n</tool_call>',
      'kept',
      'a key that no call has',
    ),
    piece(
      '<tool_call>\n{"name": "@", "arguments": {"k": "@"}}',
      'a call without its end',
      'a call without its end',
    ),
  ],
  xml: [
    piece(
      '<tool_call>\n<function=@>\n<parameter=@>\n@\n</parameter>\n</function>\n</tool_call>',
      'kept',
      'kept',
      'kept',
    ),
    piece(
      '<tool_call>\n@ <function=@>\n</function>\n</tool_call>',
      'beside the functions of a block',
      'kept',
    ),
    piece(
      '<tool_call>\n<function=@>@</function>\n</tool_call>',
      'kept',
      'beside the parameters of a function',
    ),
    piece(
      '<tool_call>\n<function=@>\n<parameter=@>\n@\n</function>\n</tool_call>',
      'kept',
      'a value without its end',
      'a value without its end',
    ),
    piece('<tool_call>\n@\n</tool_call>', 'beside the functions of a block'),
  ],
  llama: [
    piece('{"name": "@", "parameters": {"k": "@"}} ', 'kept', 'kept'),
    piece('{"name": "@", "arguments": {}, "x": "@"} ', 'kept', 'a key that no call has'),
    piece('{@} ', 'a block that is no call'),
    piece('<|python_tag|>'),
  ],
};

interface Reply {
  forms: Forms;
  thinking: boolean;
  text: string;
  words: { word: string; place: PlaceOrKept }[];
}

const replies = fc
  .tuple(
    fc.constantFrom('json' as const, 'xml' as const, 'llama' as const),
    fc.constantFrom('qwen3' as const, 'deepseek_r1' as const, null),
    fc.boolean(),
    fc.constantFrom(...THOUGHTS),
    fc.array(fc.oneof({ weight: 1, arbitrary: fc.constant(-1) }, { weight: 3, arbitrary: fc.nat(5) }), {
      maxLength: 6,
    }),
  )
  .map(([tool, asked, thinking, thought, choices]): Reply => {
    // Beside bare JSON a thought that is left in content is lost like any other text, so it gets none.
    const reasoning = tool === 'llama' ? null : asked;
    const known = PIECES[tool];
    const all = choices.map((choice) => (choice === -1 ? BESIDE : (known[choice % known.length] ?? BESIDE)));
    // A call without its end takes in what follows it, so it comes last, as where a length limit cuts.
    const cut = all.findIndex(({ places }) => places.includes('a call without its end'));
    const rest = cut === -1 ? all : all.slice(0, cut + 1);
    const words: Reply['words'] = [];
    let opened = false;
    const text = [reasoning === null ? piece('') : thought, ...rest]
      .map((part) => {
        const places = [...part.places];
        const beside = opened ? 'beside calls, behind the first opened' : 'beside calls, before the first';
        opened ||= /<tool_call>|\{/.test(part.text);
        return part.text.replace(/@/g, () => {
          const word = `w${words.length}w`;
          const place = places.shift() ?? 'kept';
          words.push({ word, place: part === BESIDE ? beside : place });
          return word;
        });
      })
      .join('');
    return { forms: { tool, reasoning }, thinking, text, words };
  });

const tokenizer = loadTokenizer();
const definitions: Json[] = [];

/** Words that are lost, with their places. */
function lost(engine: Engine, { forms, thinking, text, words }: Reply): Reply['words'] {
  if (!hasParsers(engine, forms)) return [];
  const outcome = parseAs(tokenizer, engine, forms, text, { thinking, tools: true, definitions });
  if (outcome.outcome !== 'message') return [];
  const shown = JSON.stringify(outcome.message);
  return words.filter(({ word }) => !shown.includes(word));
}

const excuseFor = (engine: Engine, { forms }: Reply, place: PlaceOrKept): KnownDrop | undefined =>
  KNOWN_DROPS.find(
    (drop) =>
      drop.place === place &&
      drop.engines.includes(engine) &&
      (drop.parser === forms.tool || drop.parser === forms.reasoning),
  );

test('what was generated shows up in reasoning, content or a call, the known drops apart', () => {
  fc.assert(
    fc.property(replies, fc.constantFrom(...ENGINES), (reply, engine) => {
      const unexcused = lost(engine, reply).filter(({ place }) => !excuseFor(engine, reply, place));
      expect(unexcused, `${engine} loses text of ${JSON.stringify(reply.text)}`).toEqual([]);
    }),
    { numRuns: 6000, seed: 7 },
  );
});

test('every known drop still happens on every engine that it names', () => {
  const seen = new Set<string>();
  for (const reply of fc.sample(replies, { numRuns: 6000, seed: 8 })) {
    for (const engine of ENGINES) {
      for (const { place } of lost(engine, reply)) {
        const excuse = excuseFor(engine, reply, place);
        if (excuse) seen.add(`${engine}: ${excuse.parser}, ${place}`);
      }
    }
  }
  const named = KNOWN_DROPS.flatMap((drop) =>
    drop.engines.map((engine) => `${engine}: ${drop.parser}, ${drop.place}`),
  );
  expect([...seen].sort()).toEqual(named.sort());
});

test('the property fails for a parser that loses text', () => {
  const reply: Reply = {
    forms: { tool: 'json', reasoning: null },
    thinking: true,
    text: 'w0w<tool_call>\n{"name": "w1w", "arguments": {}}\n</tool_call>',
    words: [
      { word: 'w0w', place: 'beside calls, before the first' },
      { word: 'w1w', place: 'kept' },
      { word: 'w2w', place: 'kept' },
    ],
  };
  for (const engine of ENGINES) expect(lost(engine, reply)).toEqual([{ word: 'w2w', place: 'kept' }]);
});
