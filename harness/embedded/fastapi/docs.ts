import { fromJs } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';
import { jsonAnswer } from './answers.ts';
import type { Route } from './routes.ts';

/** What answers, for FastAPI's own pages. */
export interface Documented {
  /** Server kind. */
  server: string;
  version: string;
  /** Path and a few words about it, for every POST route. */
  posts: readonly (readonly [path: string, summary: string])[];
}

/** FastAPI's page and schema exist on the real servers; these say what answers here. */
export function docsRoutes({ server, version, posts }: Documented): Record<string, Route> {
  const title = `parity-embedded: an emulation of the ${server} chat server`;
  const list = posts.map(([path]) => `POST ${path}`).join(', ');
  const page: HttpAnswer = {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${list}. No real engine runs here.</p></body></html>`,
  };
  const paths = Object.fromEntries(posts.map(([path, summary]) => [path, operation(summary)]));
  const schema = jsonAnswer(200, fromJs({ openapi: '3.1.0', info: { title, version }, paths }));
  return {
    '/docs': { method: 'GET', head: true, handle: () => page },
    '/openapi.json': { method: 'GET', head: true, handle: () => schema },
  };
}

const operation = (summary: string): unknown => ({
  post: { summary, responses: { 200: { description: 'Successful Response' } } },
});
