import { readFileSync } from 'node:fs';
import { isServerKind, SERVER_KINDS } from '../embedded/kinds.ts';
import { startEmbeddedServer } from '../embedded/server.ts';
import { InvalidError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { DEFAULT_WINDOW, plantedFault } from '../lanes/embedded.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { chatTemplate } from '../run/template.ts';
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
  const template = options.chatTemplate === undefined ? undefined : readTemplate(options.chatTemplate);
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
    ...(template === undefined ? {} : { chatTemplate: template }),
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

function readTemplate(file: string): string {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidError('the chat template cannot be read', {
      where: file,
      hint: (error as Error).message,
      cause: error,
    });
  }
  return chatTemplate(source, file).source;
}

function kwargs(text: string): JsonObject {
  const option = '--chat-template-kwargs';
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new InvalidError('not JSON', { where: option, hint: (error as Error).message, cause: error });
  }
  if (isObject(value)) return value;
  throw new InvalidError('not a JSON object', { where: option });
}
