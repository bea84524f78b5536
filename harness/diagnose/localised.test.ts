import { expect, test } from 'vitest';
import type { StageAnswer } from '../replay/localise.ts';
import { measuredLines, stageAtFault } from './localised.ts';

type Says = StageAnswer['says'];

const answers = (render: Says, tokenize: Says, engine: Says): StageAnswer[] => [
  { stage: 'render', route: '/v1/chat/completions/render', says: render },
  { stage: 'tokenize', route: '/tokenize', says: tokenize },
  { stage: 'engine', route: '/v1/completions', says: engine },
];

test('the stage at fault follows from what the stages say alone', () => {
  const rows: [prompts: 'equal' | 'differ', render: Says, tokenize: Says, engine: Says][] = [
    ['differ', 'actual', 'expected', 'expected'],
    ['differ', 'expected', 'expected', 'expected'],
    ['differ', 'actual', 'neither', 'expected'],
    ['differ', 'absent', 'expected', 'absent'],
    ['differ', 'absent', 'absent', 'expected'],
    ['equal', 'absent', 'expected', 'expected'],
    ['equal', 'expected', 'expected', 'actual'],
    ['equal', 'expected', 'expected', 'absent'],
  ];
  expect(
    rows.map(
      ([prompts, ...says]) => `${prompts} ${says.join(' ')}: ${stageAtFault(answers(...says), prompts)}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "differ actual expected expected: the template or the splice: the tokenizer gives the expected ids for the expected text, and rendered alone the request gives no such text",
      "differ expected expected expected: behind the template: rendered alone, the request gives the expected prompt",
      "differ actual neither expected: the tokenizer: it splits the expected text otherwise",
      "differ absent expected absent: the template or the splice: the tokenizer gives the expected ids for the expected text",
      "differ absent absent expected: undefined",
      "equal absent expected expected: the chat route: the same ids, asked alone, give the expected generation",
      "equal expected expected actual: the engine: the expected prompt, given as ids, is continued otherwise",
      "equal expected expected absent: undefined",
    ]
  `);
});

test('what was asked is shown, and what was not is not', () => {
  expect(measuredLines(answers('absent', 'expected', 'neither'), 'equal')).toMatchInlineSnapshot(`
    [
      "measured: the engine: the expected prompt, given as ids, is continued otherwise",
      "measured: /tokenize gives the expected ids",
      "measured: /v1/completions gives other ids than both",
    ]
  `);
  expect(measuredLines(answers('absent', 'absent', 'absent'), 'differ')).toMatchInlineSnapshot(`
    [
      "not measured: the server has none of the routes that stages are asked by",
    ]
  `);
});
