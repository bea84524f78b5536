import { expect, test } from 'vitest';
import { compareEnvironments } from '../compare/environment.ts';
import { PLANTS } from '../run/plants.ts';
import type { RunLane } from '../schemas/types.ts';
import { CAUSES } from './causes.ts';
import { diagnoseEnvironment } from './diagnose.ts';
import { type Found, firstFinding, played } from './fixtures.ts';
import { ANSWER } from './matrix/answer.ts';
import { GENERATION } from './matrix/generation.ts';
import { MESSAGE } from './matrix/message.ts';
import type { Planted } from './matrix/plant.ts';
import { PROMPT_IDS } from './matrix/prompts-ids.ts';
import { TEMPLATE } from './matrix/prompts-template.ts';

/*
 * Defects planted by hand into one side of a healthy conversation. Layer, side and cause are what the defect is, written down
 * before it was run. Defects of whole servers are in run/plants.ts (`parity run --plant all`).
 */

const MATRIX: Planted[] = [...TEMPLATE, ...PROMPT_IDS, ...GENERATION, ...MESSAGE, ...ANSWER];

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
    'UNKNOWN',
  ]);
  const causes = new Set([
    ...planted.map(([, , cause]) => cause),
    ...PLANTS.map(({ verdict }) => verdict.split(' ')[1]),
  ]);
  expect(Object.keys(CAUSES).filter((cause) => !causes.has(cause))).toEqual([]);
});
