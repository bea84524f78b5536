import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parity, REPOSITORY, temporaryFolder } from '../testing/cli.ts';

const CASES: [plant: string, scenario: string, field: string, measured: RegExp][] = [
  ['schema-redumped', 'tools/schema-numbers', 'prompt_token_ids', /^measured: the template or the splice: /],
  ['flipped-generation-id', 'tools/weather', 'generation_token_ids', /^measured: the chat route: /],
];

/** What a run with a planted fault measured about its first finding. */
async function measured(plant: string, scenario: string, lane: string): Promise<unknown> {
  const out = join(temporaryFolder(), 'run');
  const args = ['run', scenario, '--lane', lane, '--plant', plant, '--localise', '--out', out];
  expect(await parity(args, { cwd: REPOSITORY })).toMatchObject({ exitCode: 1 });
  const { findings } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
  return findings[0];
}

test.for(CASES)(
  '%s: a server with stages is asked which one is wrong',
  async ([plant, scenario, field, says]) => {
    const finding = await measured(plant, scenario, 'embedded-vllm-serve');
    expect(finding).toMatchObject({
      field,
      evidence: expect.arrayContaining([expect.stringMatching(says)]),
    });
  },
);

test('a server without such routes is said to have none', async () => {
  expect(await measured('schema-redumped', 'tools/schema-numbers', 'embedded-trtllm')).toMatchObject({
    evidence: expect.arrayContaining([
      'not measured: the server has none of the routes that stages are asked by',
    ]),
  });
});
