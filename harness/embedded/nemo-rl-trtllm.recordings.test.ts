import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import type { EmbeddedOptions } from './options.ts';
import { ask, differenceOf, loadRecording } from './recording.ts';
import { type EmbeddedServer, startEmbeddedServer } from './server.ts';

/**
 * Answers of NeMo-RL's TRT-LLM server (its real code, TensorRT-LLM's real parsers, a stand-in for the engine), asked again of
 * the emulation. Every exchange that does not come back the same is listed here with its reason; one that starts to differ,
 * or stops to, fails.
 */
const DIFFERENT: Record<string, string> = {
  'c24_routes#5': "FastAPI's documentation page; the emulation's says that it is one",
};

const folder = fileURLToPath(new URL('./recordings/nemo-rl-trtllm/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.json.gz'));

/** How the recorded servers were started, by the first part of a recording's name. */
const SETUPS: Record<string, Partial<EmbeddedOptions>> = {
  deepseek: { parsers: { tool: 'qwen3', reasoning: 'deepseek-r1' } },
  plain: {},
  tight: { maxModelLen: 640, model: 'Qwen/Qwen3-0.6B', trtllm: { maxNumTokens: 600 } },
};
const SETUP: Record<string, keyof typeof SETUPS> = {
  c05: 'plain',
  c06: 'plain',
  c12: 'tight',
  c16: 'plain',
  c24: 'plain',
};

const servers = new Map<string, EmbeddedServer>();
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

async function serverFor(file: string): Promise<EmbeddedServer> {
  const setup = SETUP[file.slice(0, 3)] ?? 'deepseek';
  const running = servers.get(setup) ?? (await started(SETUPS[setup] ?? {}));
  servers.set(setup, running);
  return running;
}

function started(options: Partial<EmbeddedOptions>): Promise<EmbeddedServer> {
  const tokenizer = loadTokenizer();
  return startEmbeddedServer({
    server: 'nemo-rl-trtllm',
    model: 'teleprompter-256',
    codebook: loadCodebook(`${folder}codebook.json`, (text) => tokenizer.encode(text)),
    lag: 256,
    maxModelLen: 4096,
    sampling: { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } },
    parsers: { tool: null, reasoning: null },
    ...options,
  });
}

test('every recorded exchange comes back as the real server answered it, the listed ones apart', async () => {
  const different: Record<string, string> = {};
  let same = 0;
  for (const file of files) {
    const { name, exchanges } = loadRecording(folder + file);
    const { url } = await serverFor(file);
    for (const exchange of exchanges) {
      const difference = differenceOf(exchange, await ask(url, exchange));
      if (difference === undefined) same++;
      else different[`${name}#${exchange.n}`] = `${exchange.label}: ${difference}`;
    }
  }
  const all = same + Object.keys(different).length;
  process.stdout.write(`nemo-rl-trtllm recordings: ${same} of ${all} the same\n`);
  const unlisted = Object.entries(different).filter(([name]) => !Object.hasOwn(DIFFERENT, name));
  expect(unlisted).toEqual([]);
  expect(Object.keys(different).sort()).toEqual(Object.keys(DIFFERENT).sort());
  expect(same).toBe(172);
});
