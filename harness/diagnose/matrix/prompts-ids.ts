import { EOS } from '../../oracle/tokenizer.ts';
import { played } from '../fixtures.ts';
import { at, inGolden, type Planted, RENDERED, SPLICED, seam, tokenizer } from './plant.ts';

export const PROMPT_IDS: Planted[] = [
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
    'end-of-turn id twice behind trimmed ids',
    { ...SPLICED, server: 'nemo-rl-trtllm', eos: 'trimmed' },
    ({ lane }) => {
      const [before, entry] = [at(lane.turns, 0), at(lane.turns, 1)];
      const carried = (before.prompt_token_ids?.length ?? 0) + (before.generation_token_ids?.length ?? 0);
      entry.prompt_token_ids?.splice(carried, 0, EOS);
    },
    'SPLICE lane end-of-turn-doubled',
  ],
  [
    'newline behind the carried turn doubled',
    SPLICED,
    seam(2, (tail, kept) => [...kept, EOS, 198, ...tail.slice(1)]),
    'TMPL lane -',
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
    'another special id for the end of the carried turn',
    SPLICED,
    seam(2, (tail, kept) => [...kept, 151643, ...tail.slice(1)]),
    'SPLICE lane -',
  ],
  [
    'an empty prompt',
    SPLICED,
    ({ lane }) => {
      at(lane.turns, 1).prompt_token_ids = [];
    },
    'SPLICE lane -',
  ],
  [
    'prompt truncated within the carried ids',
    SPLICED,
    ({ lane }) => {
      const [, second, third] = lane.turns;
      const behind = (second?.prompt_token_ids?.length ?? 0) - 2;
      Object.assign(at(lane.turns, 2), { prompt_token_ids: third?.prompt_token_ids?.slice(0, behind) });
    },
    'SPLICE lane -',
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
];
