import { EOS } from '../../oracle/tokenizer.ts';
import { flipped, generated, inGolden, type Planted, saying, set, THOUGHT } from './plant.ts';

export const GENERATION: Planted[] = [
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
  // a shifted reply, which is no choice of ids
  [
    'the first id missing',
    saying(`${THOUGHT}Yes, it is.`),
    generated(1, (ids) => ids.slice(1)),
    'UNKNOWN lane -',
  ],
  [
    'a special id before the reply',
    saying(`${THOUGHT}Yes, it is.`),
    generated(1, (ids) => [151643, ...ids]),
    'UNKNOWN lane -',
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
];
