import { printJson } from '../json/print.ts';
import type { ChatClient, NotReceived, Received } from '../replay/client.ts';
import type { Heard, Line } from './heard.ts';

/** Bytes of one answer that are read: a schema of a large server has a few hundred thousand. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A line to a server, which counts what it asked. */
export interface CountingLine extends Line {
  readonly asked: number;
}

/** Asks through a client whose limits hold for every question. */
export function lineTo(client: ChatClient, signal: AbortSignal): CountingLine {
  let asked = 0;
  const hear = async (answer: Promise<Received | NotReceived>): Promise<Heard> => {
    asked++;
    return heardOf(await answer);
  };
  return {
    get asked() {
      return asked;
    },
    get: (path) => hear(client.get(path, signal)),
    post: (path, body) =>
      hear(client.post(path, Buffer.from(typeof body === 'string' ? body : printJson(body)), signal)),
  };
}

function heardOf(answer: Received | NotReceived): Heard {
  if (answer.kind === 'no_answer') return { kind: 'none', reason: answer.reason };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) headers[name] = String(value ?? '');
  return { kind: 'answer', status: answer.status, headers, text: answer.body.toString() };
}
