import type { Talk } from '../fixtures.ts';
import {
  args,
  at,
  call,
  calling,
  drop,
  inGolden,
  type Planted,
  SPEAKERS,
  SPLICED,
  saying,
  set,
  THOUGHT,
} from './plant.ts';

const TWO_CALLS: Talk = {
  ...SPLICED,
  turns: [{ user: 'Set.', say: `${THOUGHT}${call('{"s": "x"}')}\n${call('{"s": "y"}')}` }],
};

export const MESSAGE: Planted[] = [
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
  [
    'content merged into the reasoning',
    saying(`${THOUGHT}Yes.`),
    set(1, { content: null, reasoning: '\nHm.\n\n\nYes.' }),
    'REAS lane -',
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
    TWO_CALLS,
    (_, turns) => {
      at(turns, 0).tool_calls?.pop();
    },
    'TOOL lane later-calls-lost',
  ],
  [
    'the first of two calls lost',
    TWO_CALLS,
    (_, turns) => {
      at(turns, 0).tool_calls?.shift();
    },
    'TOOL lane -',
  ],
  [
    'the bare JSON of a call in the content',
    calling('{"s": "x"}'),
    (_, turns) => {
      Object.assign(at(turns, 0), { content: '{"name": "set", "arguments": {"s": "x"}}' });
      delete at(turns, 0).tool_calls;
    },
    'TOOL lane call-left-as-text',
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
  ['a key added', calling('{"s": "x"}'), args('{"s": "x", "n": null}'), 'TOOL lane -'],
  [
    'a call in the content as well',
    calling('{"s": "x"}'),
    set(1, { content: `\n\n${call('{"s": "x"}')}` }),
    'TOOL lane -',
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
];
