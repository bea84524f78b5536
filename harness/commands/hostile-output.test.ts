import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedServer } from '../embedded/server.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import { type CliResult, parity, REPOSITORY, temporaryProject } from '../testing/cli.ts';
import { standIn } from '../testing/stand-in.ts';

const GOLDEN = 'goldens/teleprompter-256/spliced/tools/weather.json';

/** Moves the cursor, turns the reading direction, hides characters, and speaks to CI runners. */
const HOSTILE =
  '\u001b[2J\u009b1m\u061c\u00ad\u180e\u202e\u{e0041}\ud83d\n::error::forged\n  ::stop-commands::x\r\n##[error]forged ##vso[task.complete]';

/** What a terminal or a CI runner would act on; our own text has none of it. */
const ACTS = /[^\P{C}\n]|\p{Default_Ignorable_Code_Point}|^\s*::|##\w*\[/mu;

function expectHarmless({ stdout, stderr }: CliResult): void {
  expect(stdout).not.toMatch(ACTS);
  expect(stderr).not.toMatch(ACTS);
  // A line that a server begins cannot pass for one of ours.
  expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*(forged|EQUAL {7}forged)/m);
}

/** The hostile text was printed, and did no harm. */
function expectSpelled(result: CliResult, exitCode: number): void {
  expectHarmless(result);
  expect(`${result.stdout}${result.stderr}`).toContain('\\u061c');
  expect(result.exitCode).toBe(exitCode);
}

/** The emulation of vLLM's chat server, with hostile text wherever a message has text. */
async function hostileServer(cwd: string): Promise<string> {
  const tokenizer = loadTokenizer();
  const server = await startEmbeddedServer({
    server: 'nemo-rl-vllm',
    model: 'teleprompter-256',
    codebook: loadCodebook(join(cwd, 'goldens/codebook.json'), (text) => tokenizer.encode(text)),
    lag: 256,
    maxModelLen: 8192,
    sampling: { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } },
    parsers: { tool: 'hermes', reasoning: 'qwen3' },
  });
  onTestFinished(() => server.close());
  return standIn(async (request, response, body) => {
    const answer = await fetch(server.url + request.url, { method: 'POST', body });
    if (!answer.ok) return response.writeHead(answer.status).end(await answer.text());
    const completion = JSON.parse(await answer.text());
    const [choice] = completion.choices;
    const text = HOSTILE.toWellFormed(); // half of a pair, sent back, would be refused
    const call = { id: 'call_1', type: 'function', function: { name: text, arguments: '{"x": 1}' } };
    Object.assign(choice.message, { content: text, reasoning: text, tool_calls: [call] });
    response.end(JSON.stringify({ ...completion, choices: [{ ...choice, finish_reason: text }] }));
  });
}

/** A chat server that is ready, then refuses everything with this text. */
function refusingServer(text: string): Promise<string> {
  const ids = { prompt_token_ids: [1], generation_token_ids: [3], generation_log_probs: [-1] };
  const message = { role: 'assistant', content: '', ...ids };
  const ready = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'length' }] });
  return standIn((_, response, body) => {
    if (body.includes('"Hello"')) response.writeHead(200).end(ready);
    else response.writeHead(500).end(text);
  });
}

test('text of a server reaches the terminal spelled (run, verify, show)', async () => {
  const cwd = temporaryProject();
  const env = { PARITY_VLLM_URL: await hostileServer(cwd) };
  expectSpelled(await parity(['run', '--lane', 'attach-vllm', '--out', 'run'], { cwd, env }), 1);
  expectSpelled(await parity(['verify', 'run'], { cwd }), 1);
  expectSpelled(await parity(['show', 'tools/weather:1', '--run', 'run'], { cwd }), 0);
});

test('text of a server reaches the terminal spelled (compare, record)', async () => {
  const cwd = temporaryProject();
  const env = { PARITY_VLLM_URL: await hostileServer(cwd) };
  expectSpelled(await parity(['compare', 'embedded-vllm', 'attach-vllm', '--out', 'run'], { cwd, env }), 1);
  const record = ['record', '--lane', 'attach-vllm', '--update', 'all', '--reason', 'x'];
  expectSpelled(await parity(record, { cwd, env }), 1);
});

test('a refused recording names turn and error, spelled', async () => {
  const cwd = temporaryProject();
  const refused = await parity(['record', '--lane', 'attach-vllm', '--update', 'all', '--reason', 'x'], {
    cwd,
    env: { PARITY_VLLM_URL: await refusingServer(HOSTILE) },
  });
  expectHarmless(refused);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr.split('\n').filter((line) => !line.startsWith('replay'))).toMatchInlineSnapshot(`
    [
      "refused tools/weather: not every turn was answered",
      "  pass 1, turn 1: status 500: \\u001b[2J\\u009b1m\\u061c\\u00ad\\u180e\\u202e\\u{e0041}�\\n::error::forged\\n  ::stop-commands::x\\r\\n#\\u0023[error]forged #\\u0023vso[task.complete]",
      "  pass 2, turn 1: status 500: \\u001b[2J\\u009b1m\\u061c\\u00ad\\u180e\\u202e\\u{e0041}�\\n::error::forged\\n  ::stop-commands::x\\r\\n#\\u0023[error]forged #\\u0023vso[task.complete]",
    ]
  `);
});

test('text of a golden reaches the terminal spelled', async () => {
  const cwd = temporaryProject();
  const golden = JSON.parse(readFileSync(join(cwd, GOLDEN), 'utf8'));
  Object.assign(golden.context, { lane: HOSTILE, recorded_at: HOSTILE, reason: HOSTILE });
  golden.projections['nemo-rl-vllm'].turns[0].content = HOSTILE;
  golden.projections['nemo-rl-vllm'].confirmed_by = [HOSTILE];
  writeFileSync(join(cwd, GOLDEN), JSON.stringify(golden));
  const shown = await parity(['show', 'tools/weather:1'], { cwd });
  expectHarmless(shown);
  expect(shown.stdout.split('\n').slice(0, 4)).toMatchInlineSnapshot(`
    [
      "golden    tools/weather  (teleprompter-256, spliced)",
      "recorded  \\u001b[2J\\u009b1m\\u061c\\u00ad\\u180e\\u202e\\u{e0041}\\ud83d\\n::error::forged\\n  ::stop-commands::x\\r\\n#\\u0023[error]forged #\\u0023vso[task.complete] by \\u001b[2J\\u009b1m\\u061c\\u00ad\\u180e\\u202e\\u{e0041}\\ud83d\\n::error::forged\\n  ::stop-commands::x\\r\\n#\\u0023[error]forged #\\u0023vso[task.complete] (nemo-rl-vllm, emulated)",
      "reason    \\u001b[2J\\u009b1m\\u061c\\u00ad\\u180e\\u202e\\u{e0041}\\ud83d\\n::error::forged\\n  ::stop-commands::x\\r\\n#\\u0023[error]forged #\\u0023vso[task.complete]",
      "confirmed nemo-rl-vllm: \\u001b[2J\\u009b1m\\u061c\\u00ad\\u180e\\u202e\\u{e0041}\\ud83d\\n::error::forged\\n  ::stop-commands::x\\r\\n#\\u0023[error]forged #\\u0023vso[task.complete]",
    ]
  `);
  golden.scenario = HOSTILE;
  writeFileSync(join(cwd, 'copy.json'), JSON.stringify(golden));
  expectHarmless(await parity(['show', 'copy.json'], { cwd }));
  expectHarmless(await parity(['check'], { cwd }));
});

test('a long text that is broken into lines begins none of them with a command', async () => {
  const cwd = temporaryProject();
  const text = `${'word '.repeat(17)}${'::error::forged '.repeat(20)}`;
  const env = { PARITY_VLLM_URL: await refusingServer(text) };
  const played = await parity(['run', '--lane', 'attach-vllm', '--out', 'run'], { cwd, env });
  expectHarmless(played);
  expect(played.stdout).toContain('\n  :\\u003aerror::forged');
});

test('nothing else writes to the terminal than the writer, and what prints only our own text', () => {
  const sources = globSync('harness/**/*.ts', { cwd: REPOSITORY }).filter(
    (file) => !/\.test\.ts$|^harness\/(bench|testing)\//.test(file),
  );
  const writers = sources.filter((file) =>
    /process\.std(out|err)\.write\(|console\.\w+\(/.test(readFileSync(join(REPOSITORY, file), 'utf8')),
  );
  expect(writers.sort()).toMatchInlineSnapshot(`
    [
      "harness/commands/serve.ts",
      "harness/embedded/http.ts",
      "harness/schemas/generate.ts",
    ]
  `);
});
