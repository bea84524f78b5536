import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { fromJs, isObject, type JsonObject } from '../json/value.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { ChatDialect, Reading, TurnRequest } from './dialect.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';

/** Whatever answers a POST. */
export interface Answering {
  post(path: string, body: string): Promise<Response>;
}

/** The two servers that a row of the table is about. */
export interface Both {
  vllm: Answering;
  trtllm: Answering;
}

/** JSON text as messages, so that a test spells numbers and keys as they are sent. */
export function messages(text: string): JsonObject[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A turn of no particular kind, with the given parts in place of its own. */
export const turnOf = (parts: Partial<TurnRequest>): TurnRequest => ({
  model: 'scripted',
  messages: [],
  tools: undefined,
  thinking: undefined,
  maxTokens: 64,
  topLogprobs: 0,
  ...parts,
});

/** The harness's own request body, with fields changed; `undefined` takes one out. */
export function requestBody(said: readonly unknown[], fields: Record<string, unknown> = {}): string {
  const body = nemoRlVllm.request(turnOf({}));
  for (const [name, value] of Object.entries({ messages: said, ...fields })) {
    if (value === undefined) body.delete(name);
    else body.set(name, fromJs(value));
  }
  return printJson(body);
}

/** Posts a body to a chat route and reads the answer as the dialect does. */
export async function readingOf(server: Answering, body: string, dialect: ChatDialect): Promise<Reading> {
  const response = await server.post(dialect.path, body);
  return dialect.read(response.status, await response.text()).reading;
}

/** One body, both readings. */
export const ofBoth = async ({ vllm, trtllm }: Both, body: string): Promise<[Reading, Reading]> => [
  await readingOf(vllm, body, nemoRlVllm),
  await readingOf(trtllm, body, nemoRlTrtllm),
];

/** What went wrong, from whichever of the error shapes it came in; its first sentence. */
function complaint({ error = '' }: Reading): string {
  const [, text = error] = /"(?:message|msg|error|detail)":\s*"((?:[^"\\]|\\.)*)/.exec(error) ?? [];
  return text.split(/\.? \(|\. |\.$/)[0] ?? '';
}

/** Finish reason, reasoning, content and calls in a line, or status and complaint. */
export function brief(reading: Reading): string {
  if (reading.outcome === 'refused') return `${reading.http_status} ${complaint(reading)}`;
  if (reading.outcome !== 'answered') return reading.outcome;
  const calls = (reading.tool_calls ?? []).map(({ name, arguments: text }) => `${name}(${text})`);
  const texts = [reading.reasoning, reading.content].map((text) => JSON.stringify(text));
  const ids = reading.generation_token_ids ? [] : ['without ids'];
  return [reading.finish_reason, ...texts, ...calls, ...ids].join(' ');
}

/** The prompt as text, or what {@link brief} says of an answer without one. */
export const promptText = (reading: Reading): string =>
  reading.prompt_token_ids ? loadTokenizer().decode(reading.prompt_token_ids) : brief(reading);
