import { loadTokenizer } from '../oracle/tokenizer.ts';
import { alphabet } from '../teleprompter/alphabet.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import { type Say, scriptIds, withLines } from '../teleprompter/script.ts';
import { type EmbeddedOptions, type EmbeddedServer, startEmbeddedServer } from './server.ts';

const LAG = 256;
/** Tokens that Qwen3's template puts after a user message, thinking on and off, and after a tool result. */
const TAIL = { on: 5, off: 9, tool: 7 };

/** A server whose model can say the given replies, for tests. */
export interface ScriptedServer extends EmbeddedServer {
  /** A user message that makes the model say a reply. */
  user(say: Say, thinking?: 'on' | 'off'): { role: string; content: string };
  /** A tool result that does. */
  tool(say: Say): { role: string; tool_call_id: string; content: string };
  /** Posts bytes or text to a path; JSON unless another type, or none, is named. */
  post(path: string, body: string | Buffer, type?: string): Promise<Response>;
  /** Posts a chat request: the train pair, log-probs and the model's name unless the body says otherwise. */
  chat(body: Record<string, unknown>): Promise<Response>;
}

/** Starts a server with a codebook for the replies. */
export async function scriptedServer(
  says: readonly Say[],
  options: Partial<EmbeddedOptions> = {},
): Promise<ScriptedServer> {
  const tokenizer = loadTokenizer();
  const book = bookFor(says);
  const server = await startEmbeddedServer({
    server: 'nemo-rl-vllm',
    model: 'scripted',
    codebook: book,
    lag: LAG,
    maxModelLen: 4096,
    sampling: { train: { temperature: 1, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } },
    parsers: { tool: 'hermes', reasoning: 'qwen3' },
    ...options,
  });
  const post = (path: string, body: string | Buffer, type = 'application/json') =>
    fetch(server.url + path, { method: 'POST', body, headers: { 'content-type': type } });
  const lines = (say: Say, tail: number): string =>
    withLines('Go on.', scriptIds(say, tokenizer), { book, lag: LAG, tail });
  return {
    ...server,
    user: (say, thinking = 'on') => ({ role: 'user', content: lines(say, TAIL[thinking]) }),
    tool: (say) => ({ role: 'tool', tool_call_id: 'call_1', content: lines(say, TAIL.tool) }),
    post,
    chat: (body) => post('/v1/chat/completions', JSON.stringify({ ...DEFAULTS, ...body })),
  };
}

const DEFAULTS = { model: 'scripted', temperature: 1, top_p: 1, logprobs: true };

/** Replies and a tool that several tests share. */
export const HELLO = '<think>\nShort.\n</think>\n\nHello.';
export const CALLS =
  '<think>\nTwo.\n</think>\n\n<tool_call>\n{"name":"date","arguments":{"z":"Zürich"}}\n</tool_call>\n' +
  '<tool_call>\n{"name":"date","arguments":{}}\n</tool_call>';
export const TOOLS = [{ type: 'function', function: { name: 'date', description: 'd', parameters: {} } }];

/** What an answer with the cause in the server's log looks like to {@link told}. */
export const FAILED = '500 text/plain; charset=utf-8 Internal Server Error';

/** Status, content type and text of an answer. */
export async function told(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
}

/** Parsed JSON, of a shape that the expectations check. */
export const json = async (response: Response | Promise<Response>) =>
  JSON.parse(await (await response).text());

/** The first choice of a 200. */
export async function choiceOf(answer: Promise<Response>) {
  const response = await answer;
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  return (await json(response)).choices[0];
}

/** Found once: it takes a look at the whole vocabulary. */
let codeAlphabet: string[] | undefined;

function bookFor(says: readonly Say[]): Codebook {
  const tokenizer = loadTokenizer();
  codeAlphabet ??= alphabet(tokenizer);
  const [filler = '', ...chars] = codeAlphabet;
  const ids = new Set(says.flatMap((say) => scriptIds(say, tokenizer)));
  const entries = [...ids].map((spoken, index) => {
    const char = chars[index] ?? '';
    return { spoken, char, code: tokenizer.encode(char)[0] ?? 0 };
  });
  return { filler, entries };
}
