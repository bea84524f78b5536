import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type EmbeddedServer, startEmbeddedServer } from '../embedded/server.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import { REPOSITORY, temporaryProject } from './cli.ts';
import { standIn } from './stand-in.ts';

/** The emulated vLLM with its route that takes ids, for tests; the scripted model is the repository's. */
export function tokenServer(options: { scaleOut?: boolean } = {}): Promise<EmbeddedServer> {
  const tokenizer = loadTokenizer();
  const { codebook } = projectAt(REPOSITORY);
  return startEmbeddedServer({
    server: 'vllm-serve',
    model: 'teleprompter-256',
    codebook: loadCodebook(codebook, (text) => tokenizer.encode(text)),
    lag: 256,
    maxModelLen: 8192,
    sampling: { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } },
    parsers: { tool: null, reasoning: null },
    scaleOut: true,
    ...options,
  });
}

/** What a generate answer holds, as far as tests change it. */
export interface Generated {
  prompt_token_ids: number[] | null;
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  choices: {
    token_ids?: number[];
    finish_reason: string | null;
    logprobs: { content: { token_id: number; logprob: number; top_logprobs: unknown[] }[] };
  }[];
}

export type Relayed = (answer: Generated, asked: number, request: IncomingMessage) => unknown;

/**
 * A server of our own before an emulated one: every POST becomes one to `/inference/v1/generate`, and every answer becomes what
 * `change` makes of it. `asked` is 1 for a conversation's first turn: two requests come before it, to see whether the server is
 * ready. Gives its URL.
 */
export function relay(
  { url }: EmbeddedServer,
  change: Relayed,
  translate: (body: unknown) => unknown = (body) => body,
): Promise<string> {
  let asked = -1;
  const pass = async (request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> => {
    const asking = asked++;
    const answer = await fetch(`${url}/inference/v1/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(translate(JSON.parse(body.toString()))),
    });
    const changed = change((await answer.json()) as Generated, asking, request); // an emulation of our own
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(changed));
  };
  return standIn((request, response, body) => {
    if (request.method === 'POST') void pass(request, response, body);
    else response.writeHead(404).end();
  });
}

/** A project with tools/weather and the token lane that attaches, its text edited. */
export function tokenProject(edit: (lane: string) => string = (lane) => lane): string {
  const cwd = temporaryProject();
  const file = 'ci/lanes/attach-tokens.yaml';
  cpSync(join(REPOSITORY, file), join(cwd, file));
  writeFileSync(join(cwd, file), edit(readFileSync(join(cwd, file), 'utf8')));
  return cwd;
}
