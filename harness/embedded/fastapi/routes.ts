import type { HttpAnswer, HttpRequest } from '../http.ts';
import { type Refusal, RefusedError } from '../refusal.ts';
import { detail } from './answers.ts';

export interface Route {
  method: 'GET' | 'POST';
  /** Whether HEAD is answered as well, as FastAPI does for its own pages only. */
  head?: boolean;
  handle(request: HttpRequest): HttpAnswer;
}

/** An app of routes, by path; what they refuse gets its shape from `answerTo`. */
export function routed(
  routes: Readonly<Record<string, Route>>,
  answerTo: (refusal: Refusal) => HttpAnswer,
): (request: HttpRequest) => HttpAnswer {
  return (request) => {
    const route = Object.hasOwn(routes, request.path) ? routes[request.path] : undefined;
    if (!route) return redirect(request, routes) ?? detail(404, 'Not Found');
    const allowed = request.method === route.method || (route.head === true && request.method === 'HEAD');
    if (!allowed) return { ...detail(405, 'Method Not Allowed'), headers: { allow: route.method } };
    try {
      return route.handle(request);
    } catch (error) {
      if (error instanceof RefusedError) return answerTo(error.refusal);
      throw error;
    }
  };
}

/** Starlette's answer where only a slash at the end is missing or too many. */
function redirect(
  { path, query, host = '' }: HttpRequest,
  routes: Readonly<Record<string, Route>>,
): HttpAnswer | undefined {
  const other = path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`;
  if (!Object.hasOwn(routes, other)) return undefined;
  return { status: 307, body: '', headers: { location: `http://${host}${other}${query}` } };
}
