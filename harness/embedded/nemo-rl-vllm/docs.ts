import { fromJs } from '../../json/value.ts';
import type { HttpAnswer } from '../http.ts';
import { jsonAnswer } from './errors.ts';

const TITLE = 'parity-embedded: an emulation of the nemo-rl-vllm chat server';

/** FastAPI's page and schema exist on the real server; these say what answers here. */
export const docsPage = (): HttpAnswer => ({
  status: 200,
  contentType: 'text/html; charset=utf-8',
  body: `<!DOCTYPE html><html lang="en"><head><title>${TITLE}</title></head><body><h1>${TITLE}</h1><p>POST /v1/chat/completions, POST /tokenize. No real engine runs here.</p></body></html>`,
});

const route = (summary: string): unknown => ({
  post: { summary, responses: { 200: { description: 'Successful Response' } } },
});

export const openApi = (): HttpAnswer =>
  jsonAnswer(
    200,
    fromJs({
      openapi: '3.1.0',
      info: { title: TITLE, version: '0.25.1' },
      paths: { '/v1/chat/completions': route('Chat completion'), '/tokenize': route('Tokenize') },
    }),
  );
