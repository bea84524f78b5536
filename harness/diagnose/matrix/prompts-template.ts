import { fromJs } from '../../json/value.ts';
import { oracle } from '../../testing/transcripts.ts';
import { played } from '../fixtures.ts';
import {
  at,
  BARE_TOOL,
  call,
  EMPTY,
  flipped,
  inGolden,
  otherRequest,
  type Planted,
  prompt,
  RENDERED,
  SPLICED,
  saying,
  seam,
  seamText,
  tokenizer,
} from './plant.ts';

export const TEMPLATE: Planted[] = [
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
    'a large number of history rounded to a double',
    {
      ...RENDERED,
      turns: [
        { user: 'Set it.', say: call('{"n": 9007199254740993}') },
        { result: '{"ok": true}', say: 'Done.' },
      ],
    },
    prompt(2, '9007199254740993', '9007199254740992'),
    'TMPL lane -',
  ],
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
  ['tool result printed compact', RENDERED, prompt(2, '{"ok": true}', '{"ok":true}'), 'TMPL lane -'],
  ['tool result missing', RENDERED, prompt(2, '{"ok": true}', ''), 'TMPL lane tool-result-lost'],
  [
    'user message missing',
    RENDERED,
    prompt(1, '<|im_start|>user\nSet it.<|im_end|>\n', ''),
    'TMPL lane message-vanished',
  ],
  [
    'user message printed twice',
    RENDERED,
    prompt(
      1,
      '<|im_start|>user\nSet it.<|im_end|>\n',
      '<|im_start|>user\nSet it.<|im_end|>\n<|im_start|>user\nSet it.<|im_end|>\n',
    ),
    'TMPL lane -',
  ],
  [
    'newline behind a turn doubled',
    RENDERED,
    prompt(1, 'Set it.<|im_end|>\n', 'Set it.<|im_end|>\n\n'),
    'TMPL lane -',
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
  [
    'generation prompt written twice',
    RENDERED,
    prompt(1, '<|im_start|>assistant\n', '<|im_start|>assistant\n<|im_start|>assistant\n'),
    'TMPL lane -',
  ],
  [
    'the prompt holds the generation as well',
    RENDERED,
    ({ lane }) => {
      const entry = at(lane.turns, 0);
      entry.prompt_token_ids?.push(...(entry.generation_token_ids ?? []));
    },
    'TMPL lane -',
  ],
  [
    'behind carried ids, no assistant turn opened',
    SPLICED,
    seam(3, (tail, kept) => [...kept, ...tail.slice(0, -3)]),
    'TMPL lane generation-prompt-missing',
  ],
  ['another date', RENDERED, prompt(1, '2026-11-30', '2024-07-26'), 'TMPL lane date-line'],
  [
    'behind carried ids, a tool result as a JSON string',
    SPLICED,
    seamText(2, '{"ok": true}', '"{\\"ok\\": true}"'),
    'TMPL lane -',
  ],
  [
    'behind carried ids, a tool result as Python prints it',
    SPLICED,
    seamText(2, '{"ok": true}', "{'ok': True}"),
    'TMPL lane -',
  ],
  [
    'behind carried ids, role tool instead of user',
    SPLICED,
    seamText(2, '<|im_start|>user', '<|im_start|>tool'),
    'TMPL lane -',
  ],
  [
    'behind carried ids, a think block opened',
    SPLICED,
    seam(3, (tail, kept) => [...kept, ...tail, ...tokenizer.encode('<think>\n')]),
    'TMPL lane -',
  ],
  [
    'behind carried ids, the last newline lost',
    SPLICED,
    seam(3, (tail, kept) => [...kept, ...tail.slice(0, -1)]),
    'TMPL lane -',
  ],
  ['behind carried ids, another user text', SPLICED, seamText(3, 'Thanks.', 'thanks.'), 'TMPL lane -'],
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
];
