import { fromJs } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import { docsRoutes } from '../fastapi/docs.ts';
import type { Route } from '../fastapi/routes.ts';

const responses = {
  200: { description: 'Successful Response', content: { 'application/json': { schema: {} } } },
};
const operation = (summary: string, operationId: string) => ({ summary, operationId, responses });

/** The schema as the real server gives it: requests are read by hand, so it says nothing of them. */
const SCHEMA = jsonAnswer(
  200,
  fromJs({
    openapi: '3.1.0',
    info: { title: 'FastAPI', version: '0.1.0' },
    paths: {
      '/health': { get: operation('Health', 'health_health_get') },
      '/v1/chat/completions': {
        post: operation('Chat Completions', 'chat_completions_v1_chat_completions_post'),
      },
    },
  }),
);

/** A page that says what answers here, and the real schema. */
export const trtllmDocs: Record<string, Route> = {
  ...docsRoutes({
    server: 'nemo-rl-trtllm',
    version: '1.3.0rc21',
    posts: [['/v1/chat/completions', 'Chat completion']],
  }),
  '/openapi.json': { method: 'GET', head: true, handle: () => SCHEMA },
};
