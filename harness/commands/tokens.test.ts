import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedServer } from '../embedded/server.ts';
import { type CliResult, parity } from '../testing/cli.ts';
import { standIn } from '../testing/stand-in.ts';
import { type Relayed, relay, tokenProject, tokenServer } from '../testing/token-server.ts';

/** Token lanes as users see them: `parity run` as a child process against servers that know nothing but ids. */
let server: EmbeddedServer;
beforeAll(async () => {
  server = await tokenServer();
});
afterAll(() => server.close());

const run = (url: string, cwd = tokenProject(), ...args: string[]): Promise<CliResult> =>
  parity(['run', '--lane', 'attach-tokens', '--out', 'run', ...args], {
    cwd,
    env: { PARITY_TOKENS_URL: url },
  });

const lastLine = ({ stdout }: CliResult): string => stdout.split('\n').at(-2) ?? '';

test('what the oracle made is counted apart from what the server returned', async () => {
  const cwd = tokenProject();
  const result = await run(server.url, cwd);
  expect(result.exitCode).toBe(0);
  expect(result.stdout.replace(/\d+\.\d s/g, '0.0 s')).toMatchInlineSnapshot(`
    "lane        attach-tokens (emulated): 1 scenario, 4 turns, 51 fields asserted, 31 of them our oracle's own
    compared    139 ids (139 of them the server's own), 0 bytes of text
    our oracle  31 of the fields, and 3545 ids and 261 bytes more, are its own: no evidence about a server
    normalisers tool_call_id@1 ×0, terminal_stop_id@1 ×4, reasoning_field_name@1 ×0
    rests on    0 listed differences, 0 waivers
    not covered attach-tokens: tokens in, tokens out; prompts, messages and calls are our own oracle's,
                no server made them
    not covered attach-tokens: emulated, so this run is no evidence about a real engine
    time        0.0 s: launch 0.0 s, wait 0.0 s, request 0.0 s, compare 0.0 s, write 0.0 s; the harness's own 0.0 s
    EQUAL       every field of every turn equals its golden
    written     run"
  `);
  // The counts are those of the transcript itself.
  const { totals, lanes } = JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'));
  const transcript = JSON.parse(
    readFileSync(join(cwd, 'run/transcripts/attach-tokens/tools/weather.json'), 'utf8'),
  );
  const generated = transcript.turns.flatMap(
    (turn: { generation_token_ids: number[] }) => turn.generation_token_ids,
  );
  expect(totals).toMatchObject({ ids: generated.length, serverIds: generated.length, bytes: 0 });
  expect(lanes[0].oracleFields).toBe(totals.oracle.fields);
  const [first] = transcript.turns;
  expect([first.finish_reason, first.engine_finish_reason]).toEqual(['tool_calls', 'stop']);
  expect(await parity(['verify', 'run'], { cwd })).toMatchObject({ exitCode: 0 });
});

/** Flips an id of the answer to one turn, in the ids and in their log-probs alike. */
const flippedAt =
  (turn: number): Relayed =>
  (answer, asked) => {
    const [choice] = answer.choices;
    const [entry] = choice?.logprobs.content.slice(3) ?? [];
    if (asked !== turn || !choice?.token_ids || !entry) return answer;
    choice.token_ids[3] = 1;
    entry.token_id = 1;
    return answer;
  };

test('a flipped id is red at its turn and place', async () => {
  const result = await run(await relay(server, flippedAt(2)));
  expect(result.stdout.split('\n').slice(0, 3)).toMatchInlineSnapshot(`
    [
      "FAIL tools/weather  turn 2  generation_token_ids   attach-tokens vs golden",
      "  NUM  attach-tokens deviates: another id from index 3 on; margin unknown (other-id)",
      "  scenarios/tools/weather.yaml:34:5",
    ]
  `);
  expect(lastLine(result)).toMatchInlineSnapshot(`"DIVERGED    1 finding, 3 more only follow (exit 1)"`);
  expect(result.exitCode).toBe(1);
});

describe('the readiness probe exits 4', () => {
  test('for a server that returns text and no ids', async () => {
    const text = { ...choiceless(), choices: [{ index: 0, text: 'Hello', finish_reason: 'length' }] };
    const result = await run(await relay(server, () => text));
    expect(lastLine(result)).toMatchInlineSnapshot(
      `"INCOMPLETE  lane attach-tokens: the readiness probe's answer lacks generation_token_ids (exit 4)"`,
    );
    expect(result.exitCode).toBe(4);
  });

  test('for a server whose route is not open', async () => {
    const closed = await tokenServer({ scaleOut: false });
    const result = await run(closed.url).finally(() => closed.close());
    expect(lastLine(result)).toMatchInlineSnapshot(
      `"INCOMPLETE  lane attach-tokens: the readiness probe got status 403: {"error":{"message":"Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out to enable them.","type":"PermissionDeniedError","param":null,"code":403}} (exit 4)"`,
    );
    expect(result.exitCode).toBe(4);
  });

  test('for hostile bytes, which are spelled', async () => {
    const result = await run(
      await standIn((_, response) => response.writeHead(200).end('{"choices":"\u001b[2J')),
    );
    expect(result.exitCode).toBe(4);
    expect(result.stdout + result.stderr).not.toContain('\u001b');
  });
});

const choiceless = () => ({ usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } });

test('a token lane records no goldens', async () => {
  const result = await parity(['record', '--lane', 'attach-tokens', '--update', 'all', '--reason', 'x'], {
    cwd: tokenProject(),
    env: { PARITY_TOKENS_URL: server.url },
  });
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toMatchInlineSnapshot(`
    "parity: ci/lanes/attach-tokens.yaml: the token lane attach-tokens records no goldens
      its messages are our own oracle's; record with a lane of the server kind it stands in for"
  `);
});
