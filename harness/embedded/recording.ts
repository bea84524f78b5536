import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';

/** One recorded request and the real server's answer to it. */
export interface RecordedExchange {
  /** 1-based place in its conversation. */
  n: number;
  label: string;
  method: string;
  path: string;
  /** Request body as it is sent; undefined for none. */
  body: string | undefined;
  status: number;
  contentType: string;
  answer: string;
}

/** A recorded conversation with a real server. */
export interface Recording {
  name: string;
  exchanges: readonly RecordedExchange[];
}

/** A server's answer, body as text. */
export interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/**
 * Reads a recording, gzip'ed or plain. Two spellings are known: `{name, exchanges: [{n, label, content_type, …}]}` and
 * `{conversation, exchanges: [{note, headers, …}]}`, the latter with method and path only where they are not the chat route's.
 */
export function loadRecording(path: string): Recording {
  const bytes = readFileSync(path);
  const value = parseJson((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
  if (!isObject(value)) throw new Error(`${path}: a recording is a JSON object`);
  const exchanges = value.get('exchanges');
  if (!Array.isArray(exchanges)) throw new Error(`${path}: a recording has exchanges`);
  const name = text(value, 'name') ?? text(value, 'conversation') ?? path;
  return { name, exchanges: exchanges.filter(isObject).map(exchangeOf) };
}

function exchangeOf(entry: JsonObject, index: number): RecordedExchange {
  const headers = entry.get('headers');
  const type = text(entry, 'content_type') ?? (isObject(headers) ? text(headers, 'content-type') : undefined);
  return {
    n: count(entry, 'n') ?? index + 1,
    label: text(entry, 'label') ?? text(entry, 'note') ?? '',
    method: text(entry, 'method') ?? 'POST',
    path: text(entry, 'path') ?? '/v1/chat/completions',
    body: bodyText(entry.get('request_body')),
    status: count(entry, 'status') ?? 0,
    contentType: type ?? '',
    answer: text(entry, 'response_body') ?? '',
  };
}

/** A body that is a JSON string was no JSON object when it was sent: it is the raw text. */
function bodyText(body: Json | undefined): string | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === 'string' ? body : printJson(body);
}

function text(from: JsonObject, key: string): string | undefined {
  const value = from.get(key);
  return typeof value === 'string' ? value : undefined;
}

function count(from: JsonObject, key: string): number | undefined {
  const value = from.get(key);
  return value instanceof JsonNumber ? value.value : undefined;
}

/** Sends a recorded request to a server (`url` without path). */
export async function ask(url: string, { method, path, body }: RecordedExchange): Promise<Answer> {
  const sent = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
  const response = await fetch(url + path, { method, redirect: 'manual', ...sent });
  const contentType = response.headers.get('content-type') ?? '';
  return { status: response.status, contentType, body: await response.text() };
}

/** What no two answers share, each rewritten in place: quotes inside JSON strings are escaped, so text cannot match. */
const MASKS: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [
    /"id":"(chatcmpl-tool-|chatcmpl-|cmpl-|call_)[0-9a-f]{8,32}"/g,
    (found) => found.replace(/[0-9a-f]+"$/, '*"'),
  ],
  [/"request_id":"generate-tokens-[0-9a-f]{16}"/g, '"request_id":"generate-tokens-*"'],
  [/"created":\d+/g, '"created":*'],
  // The hash is of the server's flags.
  [/"system_fingerprint":"vllm-[0-9.]+-[0-9a-f]{8}"/g, (found) => found.replace(/[0-9a-f]{8}"$/, '*"')],
  [/"logprob":-?[0-9.e-]+/g, '"logprob":*'],
  [
    /"(?:generation_log_probs|token_logprobs)":\[[^\]]*\]/g,
    (found) => found.replace(/-?[0-9.][0-9.e-]*/g, '*'),
  ],
  [/"top_logprobs":\[\{"[^\]]*\]/g, (found) => found.replace(/":-[0-9.][0-9.e-]*(?=[,}])/g, '":*')],
];

export function masked(body: string): string {
  return MASKS.reduce((out, [pattern, mask]) => {
    return typeof mask === 'string' ? out.replace(pattern, mask) : out.replace(pattern, mask);
  }, body);
}

/** The first difference between a recorded answer and another one, in a line; undefined for none. */
export function differenceOf(recorded: RecordedExchange, answer: Answer): string | undefined {
  if (recorded.status !== answer.status) return `status ${recorded.status} became ${answer.status}`;
  if (recorded.contentType !== answer.contentType) {
    return `content-type ${recorded.contentType} became ${answer.contentType}`;
  }
  const want = masked(recorded.answer);
  const got = masked(answer.body);
  if (want === got) return undefined;
  let at = 0;
  while (want[at] === got[at]) at++;
  const around = (body: string): string => body.slice(Math.max(0, at - 30), at + 50);
  return `body at ${at}: ${around(want)} became ${around(got)}`;
}
