import { errorShape } from './error-shape.ts';
import { type Fact, measured } from './fact.ts';
import type { Heard, Line } from './heard.ts';
import { CHAT, chatBody, type Fields } from './question.ts';

/** Requests that a server should refuse, and the shape in which it does. */
export async function errorsFact(line: Line, model: string | undefined, fields: Fields): Promise<Fact> {
  const own = { model, fields };
  const asked: [cause: string, heard: Heard][] = [
    ['no JSON', await line.post(CHAT, '{"messages": ')],
    ['messages a number', await line.post(CHAT, chatBody({ ...own, fields: { ...fields, messages: '1' } }))],
    ['another model', await line.post(CHAT, chatBody({ ...own, model: 'no-such-model' }))],
    ['an unknown route', await line.get('/no-such-route')],
    ['GET on the chat route', await line.get(CHAT)],
  ];
  return measured('error shapes', ...asked.map(([cause, heard]) => `${cause}: ${errorShape(heard)}`));
}
