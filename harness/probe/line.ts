import { printJson } from '../json/print.ts';
import type { ChatClient, NotReceived, Received } from '../replay/client.ts';
import type { Heard, Line } from './heard.ts';

/** Bytes of one answer that are read: a schema of a large server has a few hundred thousand. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A line to a server, which counts what it asked. */
export interface CountingLine extends Line {
  readonly asked: number;
}

/** After so many questions of a method in a row without an answer no more are asked: each costs the whole time limit. */
const MAX_SILENT = 3;

/** Asks through a client whose limits hold for every question. */
export function lineTo(client: ChatClient, signal: AbortSignal): CountingLine {
  let asked = 0;
  const silent = { GET: 0, POST: 0 };
  const hear = async (
    method: keyof typeof silent,
    ask: () => Promise<Received | NotReceived>,
  ): Promise<Heard> => {
    if (silent[method] >= MAX_SILENT) {
      return { kind: 'none', reason: `not asked: ${MAX_SILENT} ${method} requests in a row got no answer` };
    }
    asked++;
    const heard = heardOf(await ask());
    silent[method] = heard.kind === 'none' ? silent[method] + 1 : 0;
    return heard;
  };
  return {
    get asked() {
      return asked;
    },
    get: (path) => hear('GET', () => client.get(path, signal)),
    post: (path, body) => {
      const bytes = Buffer.from(typeof body === 'string' ? body : printJson(body));
      return hear('POST', () => client.post(path, bytes, signal));
    },
  };
}

function heardOf(answer: Received | NotReceived): Heard {
  if (answer.kind === 'no_answer') return { kind: 'none', reason: answer.reason };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) headers[name] = String(value ?? '');
  return { kind: 'answer', status: answer.status, headers, text: answer.body.toString() };
}
