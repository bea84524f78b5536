import { readFileSync } from 'node:fs';
import { isServerKind, SERVER_KINDS } from '../embedded/kinds.ts';
import { startEmbeddedServer } from '../embedded/server.ts';
import { InvalidError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { DEFAULT_WINDOW, plantedFault } from '../lanes/embedded.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';

export interface ServeOptions {
  server: string;
  host: string;
  port: number;
  model?: string;
  codebook?: string;
  lag: number;
  maxModelLen?: number;
  train: [number, number];
  validation: [number, number];
  toolParser?: string;
  reasoningParser: string;
  chatTemplate?: string;
  chatTemplateKwargs?: string;
  enableScaleOut?: boolean;
  plant?: string;
}

/** `parity serve`: an embedded chat server in the foreground; prints one JSON handshake line when it listens. */
export async function serveCommand(options: ServeOptions, signal: AbortSignal): Promise<number> {
  const { server } = options;
  if (!isServerKind(server)) {
    throw new InvalidError(`no emulation of '${server}'`, { hint: `emulated: ${SERVER_KINDS.join(', ')}` });
  }
  const fault = plantedFault(options.plant, server);
  const tokenizer = loadTokenizer();
  const codebook = loadCodebook(options.codebook ?? projectAt().codebook, (text) => tokenizer.encode(text));
  const model = options.model ?? `teleprompter-${options.lag}`;
  const running = await startEmbeddedServer({
    server,
    model,
    codebook,
    lag: options.lag,
    maxModelLen: options.maxModelLen ?? DEFAULT_WINDOW,
    sampling: { train: pair(options.train), validation: pair(options.validation) },
    parsers: {
      tool: parser(options.toolParser ?? (server === 'nemo-rl-trtllm' ? 'qwen3' : 'hermes')),
      reasoning: parser(options.reasoningParser),
    },
    host: options.host,
    port: options.port,
    ...(options.chatTemplate ? { chatTemplate: readFileSync(options.chatTemplate, 'utf8') } : {}),
    ...(options.chatTemplateKwargs ? { defaultChatTemplateKwargs: kwargs(options.chatTemplateKwargs) } : {}),
    scaleOut: options.enableScaleOut === true,
    ...(fault ? { fault } : {}),
  });
  process.stdout.write(
    `${JSON.stringify({ url: running.url, server, model, emulated: true, pid: process.pid })}\n`,
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
  await running.close();
  return 0;
}

const pair = ([temperature, top_p]: [number, number]) => ({ temperature, top_p });

const parser = (name: string): string | null => (name === 'none' ? null : name);

function kwargs(text: string): JsonObject {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new InvalidError('--chat-template-kwargs takes a JSON object');
}
