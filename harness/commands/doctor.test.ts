import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parity, temporaryFolder, temporaryProject } from '../testing/cli.ts';

/** A folder with programs of the test's own, to stand in front of PATH. */
function programs(scripts: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), text.startsWith('#!') ? text : `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const HEALTHY = { npm: 'echo 11.19.1', 'nvidia-smi': 'echo "NVIDIA H200, 570.1, 143771 MiB"' };

const doctor = (cwd: string, args: string[], bin: string, env: Record<string, string> = {}) =>
  parity(['doctor', ...args], { cwd, env: { PATH: `${bin}${delimiter}${process.env.PATH}`, ...env } });

/** What differs from machine to machine is left out. */
const steady = (text: string, cwd: string): string =>
  text
    .replaceAll(cwd, '<project>')
    .replaceAll(process.versions.node, '<node>')
    .replace(/[\d.]+ GB free/, '<free> GB free')
    .replace(/\/tmp\/parity-test-\w+/g, '<folder>');

const lines = (text: string, what: string): string => {
  const all = text.split('\n');
  const at = all.findIndex((line) => line.slice(8).startsWith(`${what} `));
  return all.slice(at, all[at + 1]?.includes('remedy:') ? at + 2 : at + 1).join('\n');
};

test('a healthy project passes every check', async () => {
  const cwd = temporaryProject();
  const { exitCode, stdout, stderr } = await doctor(cwd, [], programs(HEALTHY));
  expect(steady(stdout, cwd)).toMatchInlineSnapshot(`
    "machine
      ok    node         <node> (>=22.18 needed)
      ok    npm          11.19.1
      ok    reports      <project>/reports can be written
      ok    disk         <free> GB free
      ok    loopback     a server on 127.0.0.1 can be reached, and ports are free
      ok    GPU          NVIDIA H200, 570.1, 143771 MiB
      ok    CI           not set: \`parity record\` may write goldens
    project
      ok    tokenizer    aeb13307a71a, as in 1 goldens
      ok    codebook     1106 entries
      ok    files        1 scenarios, 3 lanes, 1 goldens
    10 ok, 0 warn, 0 fail"
  `);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('everything that is wrong is told at once, with a remedy', async () => {
  const cwd = temporaryProject();
  writeFileSync(join(cwd, 'reports'), 'a file');
  const golden = join(cwd, 'goldens/teleprompter-256/spliced/tools/weather.json');
  writeFileSync(
    golden,
    readFileSync(golden, 'utf8').replace(/"tokenizer": "\w{12}/, `"tokenizer": "${'0'.repeat(12)}`),
  );
  writeFileSync(join(cwd, 'goldens/codebook.json'), '{"filler": "x"');
  const model = join(temporaryFolder(), 'model');
  mkdirSync(model);
  const bin = programs({ npm: 'echo 9.8.1', 'nvidia-smi': 'echo "driver mismatch" >&2; exit 9' });
  const old = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})";
  const { exitCode, stdout } = await doctor(cwd, ['--lane', 'attach-vllm', '--model', model], bin, {
    NODE_OPTIONS: `--import="data:text/javascript,${old}"`,
    CI: 'true',
  });
  expect(steady(stdout, cwd)).toMatchInlineSnapshot(`
    "machine
      fail  node         20.11.0, but >=22.18 is needed
            remedy: install Node 22.18 or later; in this repository \`npm run parity\` brings its own
      warn  npm          9.8.1, and 11 is expected
            remedy: npm install --global npm@11 (only installing needs it)
      fail  reports      <project>/reports is no folder
            remedy: make <project>/reports a folder that you may write, or use \`parity run --out DIR\`
      ok    disk         <free> GB free
      ok    loopback     a server on 127.0.0.1 can be reached, and ports are free
      ok    GPU          nvidia-smi: driver mismatch; none is needed here
      ok    CI           set: \`parity record\` is refused, as it should be in CI
    project
      fail  tokenizer    aeb13307a71a is bundled, but goldens/teleprompter-256/spliced/tools/weather.json was recorded with 000000000000
            remedy: use the version of this program that recorded the goldens, or record them again
      fail  codebook     <project>/goldens/codebook.json: expected ',' or '}' at offset 14
            remedy: restore goldens/codebook.json from version control; \`parity init\` brings one
      fail  files        1 scenarios, 3 lanes, 1 goldens; <project>/goldens/codebook.json: expected ',' or '}' at offset 14
            remedy: \`parity check\` lists all problems with what to do
    model <folder>/model
      fail  model        <folder>/model: config.json is missing
            remedy: fetch the model anew; the scripted one: parity model --out DIR
    lane attach-vllm
      fail  environment  PARITY_VLLM_URL not set
            remedy: export PARITY_VLLM_URL=… (ci/lanes/attach-vllm.yaml uses it)
    4 ok, 1 warn, 7 fail"
  `);
  expect(exitCode).toBe(2);
});

test('outside a project only the machine is looked at', async () => {
  const { exitCode, stdout } = await doctor(temporaryFolder(), [], programs(HEALTHY));
  expect(lines(stdout, 'project')).toMatchInlineSnapshot(`
    "  warn  project      no scenarios/, ci/lanes/ or goldens/ in this folder
            remedy: change to a project, or make one: parity init"
  `);
  expect(exitCode).toBe(0);
});

test('a lane that nobody knows is wrong usage', async () => {
  const { exitCode, stderr } = await doctor(temporaryProject(), ['--lane', 'vllm'], programs(HEALTHY));
  expect(exitCode).toBe(2);
  expect(stderr).toContain("no lane 'vllm'");
});

/** A project with a lane that starts something; JSON is YAML. */
function launching(launch: object, model: object = {}): string {
  const cwd = temporaryProject();
  const lane = {
    name: 'launched',
    server: 'nemo-rl-vllm',
    model: { name: 'teleprompter-256', teleprompter: { lag: 256 }, ...model },
    launch,
    parsers: { tool: 'hermes', reasoning: 'qwen3' },
    eos: 'kept',
  };
  writeFileSync(join(cwd, 'ci/lanes/launched.yaml'), JSON.stringify(lane));
  return cwd;
}

/** Doctor's words about the lane alone. */
async function ofLane(cwd: string, bin: string, env: Record<string, string> = {}): Promise<[number, string]> {
  const { exitCode, stdout } = await doctor(cwd, ['--lane', 'launched'], bin, env);
  const [, text = ''] = stdout.split('lane launched\n');
  return [exitCode, steady(text, cwd).replace(/\n\d+ ok.*$/, '')];
}

/** A Python in which the engine is there, and one in which it is not. */
const PYTHON = 'echo "INFO: plugins loaded"; echo "version=0.32.0"';
const BARE = `echo "ModuleNotFoundError: No module named 'vllm'" >&2; exit 1`;

test('a lane whose program, engine, model and port are there passes', async () => {
  const bin = programs({ ...HEALTHY, python3: PYTHON });
  const env = { HF_HUB_OFFLINE: '1', CUDA_VISIBLE_DEVICES: '0' };
  const command = ['vllm', 'serve', '{model.path}', '--port', '{port}'];
  const cwd = launching({ command, env, stop: ['vllm'] }, { path: '{teleprompter}' });
  // A console script: its first line names the Python that runs it.
  writeFileSync(join(bin, 'vllm'), `#!${join(bin, 'python3')}\n`);
  chmodSync(join(bin, 'vllm'), 0o755);
  const [exitCode, text] = await ofLane(cwd, bin);
  expect(text.replaceAll(/\d+ variables/g, 'n variables')).toMatchInlineSnapshot(`
    "  ok    environment  n variables reach the server
      ok    program      <folder>/vllm
      ok    engine       vllm 0.32.0, by <folder>/python3
      ok    stop         <folder>/vllm
      ok    model        the scripted checkpoint, written when the lane starts
      ok    GPU          NVIDIA H200, 570.1, 143771 MiB
      ok    port         a free one is taken for every start
      ok    offline      HF_HUB_OFFLINE is set"
  `);
  expect(exitCode).toBe(0);
});

test('a lane without engine, model, GPU and free port is told all of it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo; // a TCP server that listens has one
  const bin = programs({ npm: 'echo 11.0.0', python3: BARE, 'nvidia-smi': 'exit 1' });
  const cwd = launching(
    {
      command: ['python3', '-m', 'vllm.entrypoints.openai.api_server', `--port=${port}`],
      keep_env: ['CUDA_VISIBLE_DEVICES'],
      url: `http://127.0.0.1:${port}`,
      stop: ['no-such-stopper'],
    },
    { path: 'models/gone' },
  );
  const [exitCode, text] = await ofLane(cwd, bin);
  expect(
    text.replaceAll(/\d+ variables/g, 'n variables').replaceAll(String(port), '<port>'),
  ).toMatchInlineSnapshot(`
    "  ok    environment  n variables reach the server
      ok    program      <folder>/python3
      fail  engine       vllm cannot be imported: ModuleNotFoundError: No module named 'vllm'
            remedy: install vllm for <folder>/python3
      fail  stop         no-such-stopper is not on PATH
            remedy: install it, or correct \`launch.stop\` of the lane
      fail  model        <project>/models/gone: config.json is missing
            remedy: fetch the model anew; the scripted one: parity model --out DIR
      fail  GPU          nvidia-smi: exit code 1, but the lane launched needs one
            remedy: run it where a GPU and its driver are
      fail  port         somebody listens at http://127.0.0.1:<port> already
            remedy: stop it, or write {port} in the lane
      warn  offline      HF_HUB_OFFLINE is not set for the server: it may ask a hub
            remedy: add \`env: { HF_HUB_OFFLINE: "1" }\` to the launch of the lane"
  `);
  expect(exitCode).toBe(2);
});

test('a lane whose program or variable is not there is told so', async () => {
  const bin = programs(HEALTHY);
  const [first, gone] = await ofLane(launching({ command: ['no-such-engine', '{port}'] }), bin);
  expect(lines(gone, 'program')).toMatchInlineSnapshot(`
    "  fail  program      no-such-engine is not on PATH
            remedy: install it, or correct \`launch.command\` of the lane"
  `);
  const [second, unset] = await ofLane(launching({ command: ['${' + 'NO_SUCH_VARIABLE}'] }), bin);
  expect(lines(unset, 'environment')).toMatchInlineSnapshot(`
    "  fail  environment  ci/lanes/launched.yaml: the environment variable NO_SUCH_VARIABLE is not set
            remedy: the lane file uses it; set it, or write the value there"
  `);
  expect([first, second]).toEqual([2, 2]);
});

test('a checkpoint is looked at to its last byte', async () => {
  const cwd = temporaryProject();
  const bin = programs(HEALTHY);
  await parity(['model', '--out', 'model'], { cwd });
  const look = async (): Promise<string> => {
    const { exitCode, stdout } = await doctor(cwd, ['--model', 'model'], bin);
    return `${exitCode}${lines(stdout, 'model')}`;
  };
  const found = [await look()];
  const codebook = join(cwd, 'goldens/codebook.json');
  const book = readFileSync(codebook, 'utf8');
  writeFileSync(
    join(cwd, 'model/teleprompter.json'),
    readFileSync(join(cwd, 'model/teleprompter.json'), 'utf8').replace(/"entries": \d+/, '"entries": 7'),
  );
  found.push(await look());
  truncateSync(join(cwd, 'model/model.safetensors'), 1_000_000);
  found.push(await look());
  rmSync(join(cwd, 'model/tokenizer.json'));
  found.push(await look());
  expect(found).toMatchInlineSnapshot(`
    [
      "0  ok    model        model: qwen3, 1 safetensors, 79.2 MB, whole",
      "2  fail  model        model: made with 7 codebook entries, the project has 1106
            remedy: parity model --out model",
      "2  fail  model        model: model.safetensors has 1000000 bytes and promises 79235824
            remedy: fetch the model anew; the scripted one: parity model --out DIR",
      "2  fail  model        model: tokenizer.json is missing
            remedy: fetch the model anew; the scripted one: parity model --out DIR",
    ]
  `);
  expect(readFileSync(codebook, 'utf8')).toBe(book);
});
