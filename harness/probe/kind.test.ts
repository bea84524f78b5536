import { expect, test } from 'vitest';
import { kindOf, type Traits } from './kind.ts';
import { type Presences, ROUTES } from './routes.ts';

const presences = Object.fromEntries(ROUTES.map((route) => [route, 'unclear'])) as Presences; // a key for every route

const traits = (parts: Partial<Traits>): Traits => ({
  plainIds: [],
  askedIds: [],
  gated: [],
  presences,
  reasoning: undefined,
  fingerprint: undefined,
  tokenApis: [],
  ...parts,
});

const ON_MESSAGE = ['message.prompt_token_ids', 'message.generation_token_ids'];

test('signs that disagree evenly decide nothing', () => {
  const evenly = { plainIds: ON_MESSAGE, reasoning: 'reasoning_content', fingerprint: 'vllm-0.25.1' };
  expect(kindOf(traits(evenly))).toMatchObject({ server: undefined, fact: { basis: 'unknown' } });
});

test('signs against the kind are shown beside it', () => {
  const present = { ...presences, '/tokenize': 'present' } as const;
  const { server, fact } = kindOf(
    traits({
      plainIds: ON_MESSAGE,
      presences: present,
      reasoning: 'reasoning_content',
      fingerprint: 'vllm-0.25.1',
    }),
  );
  expect(server).toBe('nemo-rl-vllm');
  expect(fact.lines.at(-1)).toBe('against it: message.reasoning_content');
});

test('ids where no known kind puts them fit no lane, and another way of asking is named', () => {
  const { server, fact } = kindOf(
    traits({ askedIds: ['choice.prompt_token_ids', 'choice.token_ids'], tokenApis: ['sglang'] }),
  );
  expect(server).toBeUndefined();
  expect(fact.lines).toEqual([
    'ids at choice.prompt_token_ids, choice.token_ids: no known kind puts them there',
    'ids in, ids out works (sglang): write a lane of the kind tokens by hand',
  ]);
});
