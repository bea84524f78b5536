import { type Fact, measured } from './fact.ts';
import type { Heard, Line } from './heard.ts';

/** Routes that tell chat servers apart, or that another way of asking needs. */
export const ROUTES = [
  '/health',
  '/v1/models',
  '/version',
  '/openapi.json',
  '/v1/completions',
  '/v1/chat/completions/render',
  '/tokenize',
  '/detokenize',
  '/generate',
  '/inference/v1/generate',
  '/metrics',
] as const;
export type Route = (typeof ROUTES)[number];

/** Whether a route is there. */
export type Presence = 'present' | 'absent' | 'unclear';
export type Presences = Record<Route, Presence>;

/** A route asked with GET, which changes nothing: a POST route answers 405, a missing one 404. */
export function presenceOf(heard: Heard): Presence {
  if (heard.kind === 'none') return 'unclear';
  const { status } = heard;
  if (status === 404) return 'absent';
  if (status === 405 || (status >= 200 && status < 300)) return 'present';
  return 'unclear';
}

/** Asks for every route; `known` are answers that came before. */
export async function askRoutes(
  line: Line,
  known: ReadonlyMap<string, Heard>,
): Promise<{ presences: Presences; heard: Map<string, Heard> }> {
  const heard = new Map(known);
  for (const route of ROUTES) if (!heard.has(route)) heard.set(route, await line.get(route));
  const presences = Object.fromEntries(
    ROUTES.map((route) => [route, presenceOf(heard.get(route) ?? NOTHING)]),
  ) as Presences; // a key for every route
  return { presences, heard };
}

const NOTHING: Heard = { kind: 'none', reason: 'not asked' };

export function routesFact(presences: Presences): Fact {
  const having = (wanted: Presence): string =>
    ROUTES.filter((route) => presences[route] === wanted).join(' ');
  const lines = (['present', 'absent', 'unclear'] as const)
    .filter((presence) => having(presence) !== '')
    .map((presence) => `${presence}: ${having(presence)}`);
  return measured('routes', ...lines);
}
