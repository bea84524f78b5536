import { expect, test } from 'vitest';
import { compareEnvironments } from '../compare/environment.ts';
import type { JsonObject } from '../json/value.ts';
import { fromJs } from '../json/value.ts';
import { EOS } from '../oracle/tokenizer.ts';
import { PLANTS } from '../run/plants.ts';
import type { RunLane, TranscriptTurn } from '../schemas/types.ts';
import { oracle } from '../testing/transcripts.ts';
import type { Layer, Side } from './case.ts';
import { CAUSES, type CauseName } from './causes.ts';
import { diagnoseEnvironment } from './diagnose.ts';
import { type Found, firstFinding, type Played, played, recount, retext, type Talk } from './fixtures.ts';

/*
 * Defects planted by hand into one side of a healthy conversation. Layer, side and cause are what the defect is, written down
 * before it was run. Defects of whole servers are in run/plants.ts (`parity run --plant all`).
 */

const { tokenizer } = oracle;
const TOOL =
  '[{"type": "function", "function": {"name": "set", "description": "Sets é.", "parameters": {"type": "object", "properties": {"n": {"type": "number", "minimum": 1.0}, "s": {"type": "string"}, "b": {"type": "boolean"}}, "required": ["s"]}}}]';
const call = (text: string): string => `<tool_call>\n{"name": "set", "arguments": ${text}}\n</tool_call>`;
const THOUGHT = '<think>\nHm.\n</think>\n\n';

/** A call, its result, an answer, in a history that is rendered again. */
const RENDERED: Talk = {
  history: 'rerendered',
  system: 'Today is 2026-11-30.',
  tools: TOOL,
  turns: [
    { user: 'Set it.', say: `${THOUGHT}${call('{"s": "Zürich", "n": 1}')}` },
    { result: '{"ok": true}', say: `${THOUGHT}Done.` },
    { user: 'Thanks.', say: `${THOUGHT}Welcome.` },
  ],
};
const SPLICED: Talk = { ...RENDERED, history: 'spliced' };
/** A tool without a description: vLLM's server prints `null` for it, TRT-LLM's prints what was sent. */
const BARE_TOOL: Talk = {
  history: 'rerendered',
  tools: '[{"type": "function", "function": {"name": "set", "parameters": {}}}]',
  turns: [{ user: 'Set it.', say: 'Yes.' }],
};
const calling = (text: string): Talk => ({
  ...SPLICED,
  turns: [{ user: 'Set it.', say: `${THOUGHT}${call(text)}` }],
});
const saying = (say: string): Talk => ({ turns: [{ user: 'Go.', say }] });

type Planted = [
  name: string,
  talk: Talk,
  plant: (played: Played, turns: TranscriptTurn[]) => void,
  verdict: `${Layer} ${Side} ${CauseName | '-'}`,
  options?: Parameters<typeof firstFinding>[1],
];

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};
const prompt = (turn: number, from: string, to: string) => (_: Played, turns: TranscriptTurn[]) =>
  retext(turns[turn - 1], 'prompt_token_ids', from, to);
const set = (turn: number, fields: Partial<TranscriptTurn>) => (_: Played, turns: TranscriptTurn[]) => {
  Object.assign(at(turns, turn - 1), fields);
};
const drop = (turn: number, field: keyof TranscriptTurn) => (_: Played, turns: TranscriptTurn[]) => {
  delete at(turns, turn - 1)[field];
};
/** Arguments of the first call as the server prints them. */
const args = (text: string) => (_: Played, turns: TranscriptTurn[]) => {
  Object.assign(at(at(turns, 0).tool_calls ?? [], 0), { arguments: text });
};
/** Ids of a turn's prompt, changed from behind what the turn before carries. */
const seam =
  (turn: number, change: (tail: number[], kept: number[]) => number[]) =>
  (_: Played, turns: TranscriptTurn[]) => {
    const before = at(turns, turn - 2);
    const kept = [...(before.prompt_token_ids ?? []), ...(before.generation_token_ids ?? []).slice(0, -1)];
    const entry = at(turns, turn - 1);
    const ids = entry.prompt_token_ids ?? [];
    entry.prompt_token_ids = change(ids.slice(kept.length), kept);
    recount(entry);
  };
const generated =
  (turn: number, change: (ids: number[]) => number[]) => (_: Played, turns: TranscriptTurn[]) => {
    const entry = at(turns, turn - 1);
    entry.generation_token_ids = change(entry.generation_token_ids ?? []);
    recount(entry);
  };
/** Another word at an index, with the log-probs of both. */
const flipped =
  (index: number, gap: number | undefined, listed = true) =>
  (played: Played, turns: TranscriptTurn[]) => {
    const wanted = at(at(turns, 0).generation_token_ids ?? [], index);
    generated(1, (ids) => ids.with(index, 9707))(played, turns);
    if (gap === undefined) return;
    const rows = (at(turns, 0).generation_token_ids ?? []).map((id) => [
      { token: `token_id:${id}`, logprob: -0.5 },
    ]);
    at(rows, index).push({ token: `token_id:${listed ? wanted : 11}`, logprob: -0.5 - gap });
    at(turns, 0).top_logprobs = rows;
  };
const refused = (http_status: number, error: string) => set(1, { outcome: 'refused', http_status, error });
const silent = (error: string) => set(1, { outcome: 'no_answer', error });
/** The defect is in the golden; the lane is sound. */
const inGolden = (plant: (played: Played, turns: TranscriptTurn[]) => void) => (played: Played) =>
  plant(played, played.golden.turns);
const otherRequest = (change: (request: JsonObject) => void) => {
  const { requests, lane } = played(RENDERED);
  const request = at(requests, 0);
  change(request);
  return { other: { speaker: lane, request } };
};
const EMPTY = '<think>\n\n</think>\n\n';
const SPEAKERS = { tool: 'hermes', reasoning: 'qwen3' };

const MATRIX: Planted[] = [
  // REQ
  [
    'another limit was sent',
    RENDERED,
    flipped(2, undefined),
    'REQ neither requests-differ',
    otherRequest((r) => r.set('max_tokens', fromJs(9))),
  ],
  [
    'another system message was sent',
    RENDERED,
    prompt(1, 'Today', 'Now'),
    'REQ neither requests-differ',
    otherRequest((r) => r.set('messages', fromJs([{ role: 'system', content: 'x' }]))),
  ],
  [
    'tools do not reach the prompt',
    RENDERED,
    ({ requests }, turns) => {
      const bare = new Map(at(requests, 0));
      bare.delete('tools');
      at(turns, 0).prompt_token_ids = oracle.promptIds('nemo-rl-vllm', bare) ?? [];
    },
    'REQ lane tools-ignored',
  ],
  // TMPL
  [
    'think block of turn 1 stripped',
    RENDERED,
    prompt(2, '<think>\nHm.\n</think>\n\n', ''),
    'TMPL lane think-stripped',
  ],
  [
    'empty think block written into history',
    RENDERED,
    prompt(3, 'assistant\n<tool_call>', `assistant\n${EMPTY}<tool_call>`),
    'TMPL lane think-added',
  ],
  [
    'think tag written twice',
    RENDERED,
    prompt(2, '<think>\nHm.', '<think>\n<think>\nHm.'),
    'TMPL lane think-added',
  ],
  [
    'blank lines before an answer fuse',
    RENDERED,
    prompt(3, 'assistant\n\n\nDone.', 'assistant\nDone.'),
    'TMPL lane blank-lines-fused',
  ],
  [
    'a think block opened in the generation prompt',
    RENDERED,
    ({ lane }) => {
      const entry = at(lane.turns, 2);
      entry.prompt_token_ids = [...(entry.prompt_token_ids ?? []), ...tokenizer.encode('<think>\n')];
    },
    'TMPL lane -',
  ],
  [
    'empty think block lacks in the generation prompt',
    { ...saying('Yes.'), thinking: false },
    prompt(1, EMPTY, ''),
    'REQ lane thinking-flag-ignored',
  ],
  [
    'empty think block written twice',
    { ...saying('Yes.'), thinking: false },
    prompt(1, EMPTY, `${EMPTY}${EMPTY}`),
    'TMPL lane empty-think-block',
  ],
  ['minimum 1.0 printed as 1', RENDERED, prompt(1, '1.0', '1'), 'TMPL lane number-respelled'],
  [
    'schema without blanks',
    RENDERED,
    prompt(
      1,
      '{"type": "function", "function": {"name": "set",',
      '{"type":"function","function":{"name":"set",',
    ),
    'TMPL lane json-spacing',
  ],
  ['schema with escapes', RENDERED, prompt(1, 'Sets é.', 'Sets \\u00e9.'), 'TMPL lane unicode-escapes'],
  [
    'schema with strict',
    RENDERED,
    prompt(1, '["s"]}}}', '["s"]}, "strict": false}}'),
    'TMPL lane schema-redumped',
  ],
  [
    'schema with swapped keys',
    RENDERED,
    prompt(1, '"name": "set", "description": "Sets é."', '"description": "Sets é.", "name": "set"'),
    'TMPL lane schema-key-order',
  ],
  [
    'call arguments encoded twice',
    RENDERED,
    prompt(2, '"arguments": {"s": "Zürich", "n": 1}', '"arguments": "{\\"s\\": \\"Zürich\\", \\"n\\": 1}"'),
    'TMPL lane arguments-double-encoded',
  ],
  [
    'call of history printed compact',
    RENDERED,
    prompt(2, '{"s": "Zürich", "n": 1}', '{"s":"Zürich","n":1}'),
    'TMPL lane json-spacing',
  ],
  [
    'call missing from history',
    RENDERED,
    prompt(2, `${call('{"s": "Zürich", "n": 1}')}`, ''),
    'TMPL lane call-lost-from-history',
  ],
  [
    'null content printed as None',
    RENDERED,
    prompt(3, 'assistant\n<tool_call>', 'assistant\nNone<tool_call>'),
    'TMPL lane null-spelled',
  ],
  [
    'user content printed as a list',
    RENDERED,
    prompt(1, 'Set it.', "[{'type': 'text', 'text': 'Set it.'}]"),
    'TMPL lane list-spelled',
  ],
  ['tool result missing', RENDERED, prompt(2, '{"ok": true}', ''), 'TMPL lane tool-result-lost'],
  [
    'user message missing',
    RENDERED,
    prompt(1, '<|im_start|>user\nSet it.<|im_end|>\n', ''),
    'TMPL lane message-vanished',
  ],
  [
    'newline behind a turn missing',
    RENDERED,
    prompt(1, 'Set it.<|im_end|>\n', 'Set it.<|im_end|>'),
    'TMPL lane separator-lost',
  ],
  [
    'no assistant turn opened',
    RENDERED,
    prompt(1, '<|im_start|>assistant\n', ''),
    'TMPL lane generation-prompt-missing',
  ],
  ['another date', RENDERED, prompt(1, '2026-11-30', '2024-07-26'), 'TMPL lane date-line'],
  ['another system message', RENDERED, prompt(1, 'Today is', 'Now it is'), 'TMPL lane -'],
  [
    'the golden lacks the think block',
    RENDERED,
    inGolden(prompt(2, '<think>\nHm.\n</think>\n\n', '')),
    'TMPL other think-stripped',
  ],
  [
    'each server prints tools as its kind does',
    BARE_TOOL,
    ({ golden, requests }) => {
      const theirs = oracle.promptIds('nemo-rl-trtllm', at(requests, 0)) ?? [];
      at(golden.turns, 0).prompt_token_ids = theirs;
    },
    'TMPL neither schema-redumped',
    {
      other: {
        speaker: { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3', reasoning: 'qwen3' } },
        request: at(played(BARE_TOOL).requests, 0),
      },
    },
  ],
  [
    'both sides print other dates',
    RENDERED,
    (p, turns) => {
      prompt(1, '2026-11-30', '2024-07-26')(p, turns);
      prompt(1, '2026-11-30', '2025-01-01')(p, p.golden.turns);
    },
    'TMPL both date-line',
  ],
  // TOK
  [
    'a word in other pieces',
    RENDERED,
    ({ lane }) => {
      const entry = at(lane.turns, 0);
      const ids = entry.prompt_token_ids ?? [];
      const index = ids.indexOf(at(tokenizer.encode('Today'), 0));
      entry.prompt_token_ids = [
        ...ids.slice(0, index),
        ...tokenizer.encode('To'),
        ...tokenizer.encode('day'),
        ...ids.slice(index + 1),
      ];
    },
    'TOK lane other-tokenization',
  ],
  [
    'a special id in front',
    RENDERED,
    ({ lane }) => {
      at(lane.turns, 0).prompt_token_ids?.unshift(151643);
    },
    'TOK lane double-bos',
  ],
  [
    'other pieces behind carried ids',
    SPLICED,
    seam(3, (tail, kept) => [
      ...kept,
      ...tail.flatMap((id) =>
        id === at(tokenizer.encode('Thanks'), 0)
          ? [...tokenizer.encode('Th'), ...tokenizer.encode('anks')]
          : [id],
      ),
    ]),
    'TOK lane other-tokenization',
  ],
  // SPLICE
  [
    'earlier ids in a rendered history',
    RENDERED,
    ({ lane }) => {
      const entry = at(lane.turns, 2);
      entry.prompt_token_ids = at(played(SPLICED).golden.turns, 2).prompt_token_ids ?? [];
    },
    'SPLICE lane prefix-wins',
  ],
  [
    'carried ids decoded and encoded again',
    {
      turns: [
        { user: 'Go.', say: [{ pieces: ['spl', 'it'] }] },
        { user: 'On.', say: 'x' },
      ],
    },
    ({ lane }) => {
      const entry = at(lane.turns, 1);
      entry.prompt_token_ids = tokenizer.encode(tokenizer.decode(entry.prompt_token_ids ?? []));
    },
    'SPLICE lane history-retokenized',
  ],
  [
    'carried ids ignored',
    SPLICED,
    ({ lane }) => {
      at(lane.turns, 2).prompt_token_ids = at(played(RENDERED).golden.turns, 2).prompt_token_ids ?? [];
    },
    'SPLICE lane prefix-ignored',
  ],
  [
    'end-of-turn id twice',
    SPLICED,
    seam(2, (tail, kept) => [...kept, EOS, ...tail]),
    'SPLICE lane end-of-turn-doubled',
  ],
  [
    'end-of-turn id missing',
    SPLICED,
    seam(2, (tail, kept) => [...kept, ...tail.slice(1)]),
    'SPLICE lane end-of-turn-lost',
  ],
  [
    'newline behind the carried turn missing',
    SPLICED,
    seam(2, (tail, kept) => [...kept, EOS, ...tail.slice(2)]),
    'SPLICE lane separator-lost',
  ],
  [
    'template resumes one turn too early',
    SPLICED,
    seam(3, (_tail, kept) => {
      const plain = at(played(RENDERED).golden.turns, 2).prompt_token_ids ?? [];
      const ends = plain.flatMap((id, index) => (id === EOS ? [index] : []));
      return [...kept, ...plain.slice(at(ends, ends.length - 3))];
    }),
    'SPLICE lane wrong-end-of-turn',
  ],
  [
    'template cut in the middle of a message',
    SPLICED,
    seam(3, (tail, kept) => [...kept, ...tail.slice(4)]),
    'SPLICE lane positional-splice',
  ],
  [
    'new message skipped',
    SPLICED,
    seam(3, (tail, kept) => [...kept, ...tail.slice(tail.lastIndexOf(EOS))]),
    'SPLICE lane message-vanished',
  ],
  [
    'a carried id changed',
    SPLICED,
    ({ lane }) => {
      at(lane.turns, 1).prompt_token_ids?.splice(5, 1, 42);
    },
    'SPLICE lane -',
  ],
  [
    'the golden carries an end-of-turn id twice',
    SPLICED,
    inGolden(seam(2, (tail, kept) => [...kept, EOS, ...tail])),
    'SPLICE other end-of-turn-doubled',
  ],
  [
    'a vanished message without a golden',
    SPLICED,
    seam(3, (tail, kept) => [...kept, ...tail.slice(tail.lastIndexOf(EOS))]),
    'SPLICE lane message-vanished',
    { against: 'nothing' },
  ],
  [
    'a broken prefix without a golden',
    SPLICED,
    ({ lane }) => {
      at(lane.turns, 1).prompt_token_ids?.splice(5, 1, 42);
    },
    'SPLICE lane -',
    { against: 'nothing' },
  ],
  // STOP
  ['stop id missing', saying('Yes.'), generated(1, (ids) => ids.slice(0, -1)), 'STOP lane eos-trimmed'],
  [
    'stop id kept on a lane that trims',
    { ...saying('Yes.'), server: 'nemo-rl-trtllm', eos: 'trimmed' },
    generated(1, (ids) => [...ids, EOS]),
    'STOP lane eos-kept',
  ],
  [
    'end-of-text kept on a lane that trims',
    { ...saying('Yes.'), server: 'nemo-rl-trtllm', eos: 'trimmed' },
    generated(1, (ids) => [...ids, 151643]),
    'STOP lane end-of-text-kept',
  ],
  [
    'ends on end-of-text',
    saying('Yes.'),
    generated(1, (ids) => [...ids.slice(0, -1), 151643]),
    'STOP unknown other-stop-id',
  ],
  [
    'runs past the stop id',
    saying('Yes.'),
    generated(1, (ids) => [...ids, 198, 9707, EOS]),
    'STOP lane ran-past-stop',
  ],
  ['ends early', saying('Yes, of course.'), generated(1, (ids) => ids.slice(0, 2)), 'STOP lane cut-short'],
  [
    'longer than the limit',
    { ...saying('Yes, of course it is.'), maxTokens: 4 },
    generated(1, (ids) => [...ids, 9707, 9707]),
    'STOP lane limit-ignored',
  ],
  // NUM
  ['another id, no alternatives', saying('Yes, it is.'), flipped(2, undefined), 'NUM lane other-id'],
  [
    'another id, the same log-prob',
    saying('Yes, it is.'),
    flipped(2, 0),
    'NUM unknown tie',
    { scripted: false },
  ],
  [
    'another id, 0.03 nats apart',
    saying('Yes, it is.'),
    flipped(2, 0.03),
    'NUM unknown near-tie',
    { scripted: false },
  ],
  [
    'another id, 3 nats apart',
    saying('Yes, it is.'),
    flipped(2, 3),
    'NUM unknown confident-other-id',
    { scripted: false },
  ],
  [
    'another id, the other choice not listed',
    saying('Yes, it is.'),
    flipped(2, 4, false),
    'NUM unknown confident-other-id',
    { scripted: false },
  ],
  ['another id in the golden', saying('Yes, it is.'), inGolden(flipped(2, undefined)), 'NUM other other-id'],
  [
    'an alternative above the choice',
    saying('Yes.'),
    set(1, { top_logprobs: [[{ token: 'x', logprob: -0.1 }]] }),
    'NUM lane not-greedy',
  ],
  // DETOK
  [
    'an emoji decoded token by token',
    saying(`${THOUGHT}Sun 🌞 up.`),
    set(1, { content: '\n\nSun \uFFFD\uFFFD up.' }),
    'DETOK lane per-token-decode',
  ],
  [
    'the prompt stands before the text',
    saying('<think>\nHm.\n</think>Yes.'),
    set(1, { content: '<|im_end|>\n<|im_start|>assistant\nYes.' }),
    'DETOK lane prompt-echoed',
  ],
  [
    'the stop token is spelled',
    saying(`${THOUGHT}Yes.`),
    set(1, { content: '\n\nYes.<|im_end|>' }),
    'DETOK lane stop-text-kept',
  ],
  [
    'special tokens left out',
    saying(`${THOUGHT}A<|object_ref_start|>B`),
    set(1, { content: '\n\nAB' }),
    'DETOK lane special-tokens-dropped',
  ],
  [
    'a half character shown',
    saying(`${THOUGHT}Hi`),
    set(1, { content: '\n\nHi\uFFFD' }),
    'DETOK lane half-character',
  ],
  [
    'another number in the text',
    saying(`${THOUGHT}It is 10.`),
    set(1, { content: '\n\nIt is 11.' }),
    'DETOK lane -',
  ],
  // REAS
  [
    'reasoning stays in content',
    saying(`${THOUGHT}Yes.`),
    set(1, { content: '<think>\nHm.\n</think>\n\nYes.', reasoning: null }),
    'REAS lane reasoning-in-content',
  ],
  [
    'all is reasoning',
    { ...saying('Yes, it is.'), thinking: false },
    set(1, { content: null, reasoning: 'Yes, it is.' }),
    'REAS lane reasoning-start-assumed',
  ],
  [
    'a call in the reasoning',
    calling('{"s": "x"}'),
    (_, turns) => {
      Object.assign(at(turns, 0), {
        reasoning: `\nHm.\n</think>\n\n${call('{"s": "x"}')}`,
        finish_reason: 'stop',
      });
      delete at(turns, 0).tool_calls;
    },
    'REAS lane call-in-reasoning',
  ],
  [
    'a think tag deleted from content',
    saying(`${THOUGHT}A<think>B`),
    set(1, { content: '\n\nAB' }),
    'REAS lane marker-deleted',
  ],
  ['content stripped', saying(`${THOUGHT}Yes.`), set(1, { content: 'Yes.' }), 'REAS lane content-stripped'],
  [
    'content stripped in the golden',
    saying(`${THOUGHT}Yes.`),
    inGolden(set(1, { content: 'Yes.' })),
    'REAS other content-stripped',
  ],
  [
    'content stripped by unknown parsers',
    saying(`${THOUGHT}Yes.`),
    ({ lane }, turns) => {
      lane.parsers = { tool: 'mystery', reasoning: 'mystery' };
      Object.assign(at(turns, 0), { content: 'Yes.' });
    },
    'REAS unknown content-stripped',
  ],
  ['reasoning lost', saying(`${THOUGHT}Yes.`), set(1, { reasoning: 'Other words.' }), 'DETOK lane -'],
  // TOOL
  ['calls vanish', calling('{"s": "x"}'), drop(1, 'tool_calls'), 'TOOL lane calls-dropped'],
  [
    'calls stay in content',
    calling('{"s": "x"}'),
    (_, turns) => {
      Object.assign(at(turns, 0), { content: `\n\n${call('{"s": "x"}')}` });
      delete at(turns, 0).tool_calls;
    },
    'TOOL lane call-left-as-text',
  ],
  [
    'a JSON parser before XML calls',
    { ...calling('{"s": "x"}'), parsers: SPEAKERS },
    (_, turns) => {
      Object.assign(at(turns, 0), {
        content: '<tool_call>\n<function=set>\n<parameter=s>\nx\n</parameter>\n</function>\n</tool_call>',
      });
      delete at(turns, 0).tool_calls;
    },
    'TOOL lane parser-mismatch',
  ],
  [
    'the second call lost',
    { ...SPLICED, turns: [{ user: 'Set.', say: `${THOUGHT}${call('{"s": "x"}')}\n${call('{"s": "y"}')}` }] },
    (_, turns) => {
      at(turns, 0).tool_calls?.pop();
    },
    'TOOL lane later-calls-lost',
  ],
  [
    'a bad block hides a good one',
    {
      ...SPLICED,
      server: 'nemo-rl-trtllm',
      turns: [{ user: 'Set.', say: `${THOUGHT}${call('{"s": "x"}')}\n<tool_call>\n{oops\n</tool_call>` }],
    },
    (_, turns) => {
      Object.assign(at(turns, 0), { content: 'text' });
      delete at(turns, 0).tool_calls;
    },
    'TOOL lane bad-block-among-good',
  ],
  [
    'a call out of nothing',
    { ...SPLICED, turns: [{ user: 'Set.', say: `${THOUGHT}No.` }] },
    set(1, { tool_calls: [{ name: 'set', arguments: '{}' }] }),
    'TOOL lane call-invented',
  ],
  [
    'text before a call missing',
    { ...SPLICED, turns: [{ user: 'Set.', say: `${THOUGHT}I set.\n${call('{"s": "x"}')}` }] },
    set(1, { content: null }),
    'TOOL lane content-dropped-beside-call',
  ],
  [
    'text before a call stripped',
    { ...SPLICED, turns: [{ user: 'Set.', say: `${THOUGHT}I set.\n${call('{"s": "x"}')}` }] },
    set(1, { content: 'I set.' }),
    'TOOL lane content-blanks-beside-call',
  ],
  [
    'a number as text',
    calling('{"s": "x", "n": 1}'),
    args('{"s": "x", "n": "1"}'),
    'TOOL lane value-coerced',
  ],
  [
    'true as text',
    calling('{"s": "x", "b": true}'),
    args('{"s": "x", "b": "true"}'),
    'TOOL lane value-coerced',
  ],
  [
    'indentation stripped',
    calling('{"s": "    if x:\\n"}'),
    args('{"s": "if x:"}'),
    'TOOL lane value-stripped',
  ],
  ['a key lost', calling('{"s": "x", "n": 1}'), args('{"s": "x"}'), 'TOOL lane argument-lost'],
  [
    'a tag deleted from an argument',
    calling('{"s": "a</think>b"}'),
    inGolden(args('{"s": "a</think>b"}')),
    'REAS other marker-deleted',
  ],
  [
    'another name',
    calling('{"s": "x"}'),
    (_, turns) => {
      Object.assign(at(at(turns, 0).tool_calls ?? [], 0), { name: 'get' });
    },
    'TOOL lane -',
  ],
  // SER
  [
    'arguments without blanks',
    calling('{"s": "x", "n": 1}'),
    args('{"s":"x","n":1}'),
    'SER lane json-spacing',
  ],
  [
    'arguments escaped',
    calling('{"s": "Zürich"}'),
    args('{"s": "Z\\u00fcrich"}'),
    'SER lane unicode-escapes',
  ],
  ['keys swapped', calling('{"s": "x", "n": 1}'), args('{"n": 1, "s": "x"}'), 'SER lane key-order'],
  [
    '1e3 printed as it came',
    calling('{"s": "x", "n": 1e3}'),
    args('{"s": "x", "n": 1e3}'),
    'SER lane number-respelled',
  ],
  ['True', calling('{"s": "x", "b": true}'), args('{"s": "x", "b": True}'), 'SER lane boolean-casing'],
  ['NaN', calling('{"s": "x", "n": 1}'), args('{"s": "x", "n": NaN}'), 'SER lane arguments-no-json'],
  [
    'content "" instead of null',
    calling('{"s": "x"}'),
    set(1, { content: '' }),
    'SER lane null-empty-absent',
  ],
  ['content absent', calling('{"s": "x"}'), drop(1, 'content'), 'SER unknown null-empty-absent'],
  [
    'an empty list of calls',
    saying(`${THOUGHT}Yes.`),
    set(1, { tool_calls: [] }),
    'SER unknown null-empty-absent',
  ],
  [
    'reasoning under another name',
    saying(`${THOUGHT}Yes.`),
    set(1, { reasoning_field: 'reasoning_content' }),
    'SER lane reasoning-field-name',
  ],
  ['no prompt ids', saying('Yes.'), drop(1, 'prompt_token_ids'), 'SER lane ids-missing'],
  ['no generated ids', saying('Yes.'), drop(1, 'generation_token_ids'), 'SER lane ids-missing'],
  [
    'stop although cut',
    { ...saying('Yes, of course.'), maxTokens: 3 },
    (p, turns) => {
      set(1, { finish_reason: 'length' })(p, p.golden.turns);
      set(1, { finish_reason: 'stop' })(p, turns);
    },
    'SER lane length-masked',
  ],
  [
    'stop beside a call',
    calling('{"s": "x"}'),
    set(1, { finish_reason: 'stop' }),
    'SER lane finish-reason-and-calls',
  ],
  [
    'usage one too many',
    saying('Yes.'),
    (_, turns) => {
      Object.assign(at(turns, 0).usage ?? {}, { completion_tokens: 99 });
    },
    'SER lane usage-miscounted',
  ],
  [
    'a log-prob too few',
    saying('Yes.'),
    (_, turns) => {
      at(turns, 0).logprobs?.pop();
    },
    'SER lane logprobs-miscounted',
  ],
  [
    'a positive log-prob',
    saying('Yes.'),
    (_, turns) => {
      at(turns, 0).logprobs?.splice(0, 1, 2);
    },
    'SER lane logprob-impossible',
  ],
  // ERR
  [
    'its own reply refused',
    SPLICED,
    (p, turns) => {
      for (const side of [turns, p.golden.turns])
        Object.assign(at(at(side, 0).tool_calls ?? [], 0), { arguments: 'null' });
      set(2, {
        outcome: 'refused',
        http_status: 400,
        error: '{"error":"tool_calls[0].function.arguments must be a JSON object."}',
      })(p, turns);
    },
    'ERR lane own-reply-refused',
  ],
  [
    'arguments not decoded',
    saying('Yes.'),
    refused(500, 'Can only get item pairs from a mapping.'),
    'ERR lane arguments-not-decoded',
  ],
  [
    'prompt too long',
    saying('Yes.'),
    refused(400, '{"error":"context length exceeded"}'),
    'ERR lane context-overflow',
  ],
  [
    'server and engine do not fit',
    saying('Yes.'),
    refused(400, '{"error":"too many values to unpack (expected 3)"}'),
    'ERR lane engine-interface',
  ],
  [
    'a stream',
    saying('Yes.'),
    set(1, {
      outcome: 'unreadable',
      http_status: 200,
      error: 'a stream of events came, though none was asked for',
    }),
    'ERR lane stream-instead',
  ],
  [
    'a page of HTML',
    saying('Yes.'),
    set(1, { outcome: 'unreadable', http_status: 200, error: 'the body is not JSON: <html>' }),
    'ERR lane no-chat-answer',
  ],
  ['500', saying('Yes.'), refused(500, 'Internal Server Error'), 'ERR lane server-error'],
  ['422', saying('Yes.'), refused(422, '{"detail":[]}'), 'ERR lane request-refused'],
  [
    'a turn was never asked',
    SPLICED,
    ({ lane }) => {
      lane.turns.pop();
    },
    'ERR lane conversation-ended',
  ],
  // LIFE
  ['nothing listens', saying('Yes.'), silent('connection refused'), 'LIFE lane unreachable'],
  [
    'the connection breaks',
    saying('Yes.'),
    silent('the server closed the connection'),
    'LIFE lane connection-lost',
  ],
  [
    'no answer in time',
    saying('Yes.'),
    silent('no answer within our own limit of 600 s'),
    'LIFE lane timed-out',
  ],
];

function found([, talk, plant, , options]: Planted): Found | undefined {
  const conversation = played(talk);
  plant(conversation, conversation.lane.turns);
  return firstFinding(conversation, options);
}

const verdictOf = (finding: Pick<Found, 'verdict' | 'deviates' | 'cause'> | undefined): string =>
  finding ? `${finding.verdict} ${finding.deviates} ${finding.cause ?? '-'}` : 'no finding';

test('without a defect there is no finding', () => {
  for (const [name, talk] of MATRIX) expect([name, firstFinding(played(talk))]).toEqual([name, undefined]);
});

/** Lanes of another set-up, compared with each other. */
const ENVIRONMENTS = (['template', 'tokenizer', 'model'] as const).map((part) => {
  const lane: RunLane = {
    lane: 'a',
    server: 'nemo-rl-vllm',
    model: 'm',
    history: 'spliced',
    eos: 'kept',
    emulated: true,
    tokenizer: 'a'.repeat(64),
    template: 'b'.repeat(64),
    state: 'ready',
  };
  const other = { ...lane, lane: 'b', [part]: 'c'.repeat(64) };
  return { part, assertions: compareEnvironments(lane, other, 'x') };
});

test('layer, side and cause of every planted defect', async () => {
  const rows = MATRIX.map((planted) => {
    const [name, , , verdict] = planted;
    const finding = found(planted);
    return {
      name,
      verdict,
      came: verdictOf(finding),
      place: `${finding?.turn} ${finding?.field}`,
      says: finding?.says,
    };
  });
  for (const { part, assertions } of ENVIRONMENTS) {
    const [assertion] = assertions;
    if (assertion?.outcome.status !== 'differs') throw new Error('another set-up is a difference');
    const finding = diagnoseEnvironment(assertion.outcome.difference);
    const verdict = `ENV unknown other-${part}`;
    const place = `1 ${assertion.field}`;
    rows.push({
      name: `another ${part}`,
      verdict: verdict as Planted[3],
      came: verdictOf(finding),
      place,
      says: finding.says,
    });
  }
  expect(rows.filter(({ verdict, came }) => verdict !== came)).toEqual([]);
  const table = rows.map(({ name, verdict, place, says }) =>
    [name.padEnd(46), verdict.padEnd(42), place.padEnd(24), says].join(' '),
  );
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('./matrix.txt');
});

test('the matrix has a planted defect for every layer and every named cause', () => {
  const planted = [
    ...MATRIX.map(([, , , verdict]) => verdict.split(' ')),
    ...ENVIRONMENTS.map(({ part }) => ['ENV', 'unknown', `other-${part}`]),
  ];
  const layers = new Set([
    ...planted.map(([layer]) => layer),
    ...PLANTS.map(({ verdict }) => verdict.split(' ')[0]),
  ]);
  expect([...layers].sort()).toEqual([
    'DETOK',
    'ENV',
    'ERR',
    'LIFE',
    'NUM',
    'REAS',
    'REQ',
    'SER',
    'SPLICE',
    'STOP',
    'TMPL',
    'TOK',
    'TOOL',
  ]);
  const causes = new Set([
    ...planted.map(([, , cause]) => cause),
    ...PLANTS.map(({ verdict }) => verdict.split(' ')[1]),
  ]);
  expect(Object.keys(CAUSES).filter((cause) => !causes.has(cause))).toEqual([]);
});
