import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/cli.ts';
import { standIn } from '../testing/stand-in.ts';
import { attachChecks } from './attach-lane.ts';
import { engineChecks, engineModule } from './engine.ts';
import { diskCheck, loopbackCheck, writableCheck } from './machine.ts';
import { modelCheck } from './model-files.ts';
import { ciCheck, nodeCheck, npmCheck } from './runtime.ts';

const never = new AbortController().signal;
const KNOWN = { tokenizer: '', entries: undefined };

test('Node is compared by number, not by text', () => {
  const states = ['22.18.0', '22.9.0', '24.0.0', '9.99.0'].map((node) => nodeCheck(node, '>=22.18').state);
  expect(states).toEqual(['ok', 'fail', 'ok', 'fail']);
  expect(nodeCheck('24.0.0', undefined).state).toBe('warn');
});

test('npm that is not there is a warning: only installing needs it', async () => {
  expect(await npmCheck({ PATH: temporaryFolder() }, never)).toMatchObject({
    state: 'warn',
    detail: 'not on PATH',
  });
});

test('CI set in a terminal is a warning, in a job it is right', () => {
  expect(
    [ciCheck('true', true), ciCheck('true', false), ciCheck('', true)].map(({ state }) => state),
  ).toEqual(['warn', 'ok', 'ok']);
});

test('little space is a warning, none is a failure', () => {
  expect([5e9, 5e8, 5e7].map((free) => diskCheck(free).state)).toEqual(['ok', 'warn', 'fail']);
});

test('an address that cannot be listened on fails', async () => {
  // TEST-NET-1: no machine has it.
  expect((await loopbackCheck('192.0.2.1')).state).toBe('fail');
});

test('a folder below a file cannot be written', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(writableCheck(join(file, 'reports'))).toMatchObject({
    state: 'fail',
    detail: `${file} is no folder`,
  });
});

test('an engine whose import does not end is stopped', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'python3'), '#!/bin/sh\nexec sleep 60\n');
  chmodSync(join(folder, 'python3'), 0o755);
  const start = { command: ['python3'], env: { PATH: `${folder}:/usr/bin:/bin` }, cwd: folder };
  const [, engine] = await engineChecks('vllm', start, never, 1);
  expect(engine).toMatchObject({ state: 'fail', detail: 'importing vllm takes more than 1 s' });
});

test('an engine behind a script is not taken for seen, and the script must be there', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'serve.sh'), '');
  const env = { PATH: '/usr/bin:/bin' };
  const states = ['serve.sh', 'gone.sh'].map(async (script) => {
    const [, engine] = await engineChecks('vllm', { command: ['sh', script], env, cwd: folder }, never);
    return engine?.state;
  });
  expect(await Promise.all(states)).toEqual(['warn', 'fail']);
});

test('an attach lane needs its variables, an http URL and somebody who listens', async () => {
  const loaded = { file: 'ci/lanes/a.yaml', lane: { name: 'a' } } as Parameters<typeof attachChecks>[0]; // only the file is read
  const states = async (url: string, key?: string): Promise<string[]> => {
    const attach = key === undefined ? { url } : { url, api_key_env: key };
    return (await attachChecks(loaded, attach, {})).map(({ state }) => state);
  };
  expect(await states(await standIn(() => {}))).toEqual(['ok', 'ok']);
  expect(await states('http://127.0.0.1:9')).toEqual(['ok', 'warn']);
  expect(await states('ftp://127.0.0.1')).toEqual(['ok', 'fail']);
  expect(await states('http://127.0.0.1:9', 'NO_KEY')).toEqual(['fail']);
});

test('an index of weights must name files beside it, and all must be whole', () => {
  const dir = join(temporaryFolder(), 'model');
  mkdirSync(dir);
  const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);
  const index = (file: string): string => JSON.stringify({ weight_map: { 'a.weight': file } });
  const detail = (): string => modelCheck(dir, KNOWN).detail.replace(`${dir}: `, '');
  const found: string[] = [];
  write('config.json', '{"model_type": "qwen3"}');
  write('tokenizer.json', '[');
  found.push(detail());
  write('tokenizer.json', '{}');
  write('tokenizer_config.json', '{}');
  found.push(detail());
  for (const file of ['../outside.safetensors', 'model-1.safetensors']) {
    write('model.safetensors.index.json', index(file));
    found.push(detail());
  }
  write('model-1.safetensors', 'no weights');
  found.push(detail());
  write('model-1.safetensors', '');
  found.push(detail());
  expect(found).toMatchInlineSnapshot(`
    [
      "tokenizer.json is no JSON object",
      "model.safetensors is missing",
      "model.safetensors.index.json names ../outside.safetensors, which is no file beside it",
      "model-1.safetensors is missing",
      "model-1.safetensors is no safetensors file",
      "model-1.safetensors is no safetensors file",
    ]
  `);
});

test('the engine behind a lane follows from its server kind, or from its token route', () => {
  const projection = { rerendered: 'vllm-serve' } as const;
  const modules = (['vllm-completions', 'sglang', 'trtllm-completions'] as const).map((api) =>
    engineModule({ server: 'tokens', tokens: { api, projection } }),
  );
  expect([engineModule({ server: 'nemo-rl-trtllm' }), ...modules]).toEqual([
    'tensorrt_llm',
    'vllm',
    'sglang',
    'tensorrt_llm',
  ]);
});
