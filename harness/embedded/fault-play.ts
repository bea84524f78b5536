import { actsOn, FAULTS } from './faults.ts';
import type { ScriptedServer } from './fixtures.ts';
import type { ServerKind } from './kinds.ts';

/*
 * For tests: one conversation that meets every fault's precondition is played to a sound server and to one with the fault.
 * What differs is listed as `turn.field`; a fault that changes nothing, or something it is not about, shows.
 */

type Message = Record<string, unknown>;

/** One request: what it adds to the conversation so far, and other fields of its body. */
export interface Step {
  messages: Message[];
  fields?: Record<string, unknown>;
}

/** An answer, its choice's fields beside the message. */
export interface PlayedTurn {
  status: number;
  message: Message;
  [field: string]: unknown;
}

/** Every turn after the first builds on the golden's earlier answers, or without one on its own. */
export async function play(
  server: ScriptedServer,
  steps: readonly Step[],
  golden?: readonly PlayedTurn[],
): Promise<PlayedTurn[]> {
  const turns: PlayedTurn[] = [];
  const history: Message[] = [{ role: 'system', content: 'Be brief.' }];
  for (const { messages, fields } of steps) {
    history.push(...messages);
    turns.push(await ask(server, { messages: history, ...fields }));
    history.push((golden ?? turns)[turns.length - 1]?.message ?? {});
  }
  return turns;
}

async function ask(server: ScriptedServer, body: Record<string, unknown>): Promise<PlayedTurn> {
  const response = await server.chat(body);
  const text = await response.text();
  if (response.status !== 200) return { status: response.status, message: {} };
  const { choices, usage, prompt_token_ids: prompt } = JSON.parse(text);
  const [{ message, ...choice }] = choices;
  return { status: 200, message, ...choice, usage, ...(prompt ? { prompt_token_ids: prompt } : {}) };
}

/** `turn.field` of every difference; ids of calls are random. */
export function differences(sound: readonly PlayedTurn[], faulty: readonly PlayedTurn[]): string[] {
  const plain = (value: unknown): string =>
    (JSON.stringify(value) ?? 'absent').replace(/(chatcmpl-tool-|call_)[0-9a-f]+/g, 'ID');
  return sound.flatMap((turn, index) => {
    const other = faulty[index];
    if (other?.status !== turn.status) return [`${index + 1}.status`];
    const fields = [...Object.keys(turn), ...Object.keys(other)].filter((key) => key !== 'message');
    const keys = new Set([...fields, ...Object.keys(turn.message), ...Object.keys(other.message)]);
    return [...keys]
      .filter((key) => plain(turn[key] ?? turn.message[key]) !== plain(other[key] ?? other.message[key]))
      .map((key) => `${index + 1}.${key}`);
  });
}

/** What each fault of a server kind changes, played twice: a fault is deterministic. Throws where it is not. */
export async function changes(
  kind: ServerKind,
  start: (fault?: (typeof FAULTS)[number]) => Promise<ScriptedServer>,
  stepsOf: (server: ScriptedServer) => Step[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const sound = await start();
  const steps = stepsOf(sound);
  const golden = await play(sound, steps);
  for (const fault of FAULTS.filter((candidate) => actsOn(candidate, kind))) {
    const server = await start(fault);
    const faulty = await play(server, steps, golden);
    const again = differences(faulty, await play(server, steps, golden));
    if (again.length > 0) throw new Error(`${fault.name} is not deterministic: ${again.join(' ')}`);
    found[fault.name] = differences(golden, faulty).join(' ');
  }
  return found;
}
