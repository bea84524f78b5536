import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ChatClient } from '../replay/client.ts';
import { requestBody } from './fixtures.ts';
import { nemoRlTrtllm, nemoRlVllm } from './nemo-rl.ts';
import { vllmServe } from './vllm-serve.ts';

/** How requests travel, rows 115 and 119: real sockets, a server that only watches. */
async function watched(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const client = new ChatClient(`http://127.0.0.1:${address.port}`);
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return { server, client };
}

test('the bytes that were made are the bytes that arrive', async () => {
  const arrived: unknown[] = [];
  const { client } = await watched(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
    arrived.push([request.method, request.url, request.headers['content-type'], body]);
    response.end('{}');
  });
  const body = Buffer.from(requestBody([{ role: 'user', content: 'Zürich 🦩 \u2028 \u0000' }]));
  for (const dialect of [nemoRlVllm, nemoRlTrtllm, vllmServe]) await client.post(dialect.path, body);
  expect(arrived).toEqual(Array(3).fill(['POST', '/v1/chat/completions', 'application/json', body]));
});

test('row 119: a server has one request at a time', async () => {
  let open = 0;
  let most = 0;
  const { client } = await watched(async (_request, response) => {
    most = Math.max(most, ++open);
    await wait(20);
    open--;
    response.end('{}');
  });
  const answers = await Promise.all(Array.from({ length: 4 }, () => client.post('/', Buffer.from('{}'))));
  expect([most, answers.map(({ kind }) => kind)]).toEqual([1, Array(4).fill('response')]);
});

test('row 115: an idle connection is given up before a server does it after 5 seconds', async () => {
  const { server, client } = await watched((_request, response) => {
    // Without a hint of the server's own limit, as uvicorn sends none.
    response.setHeader('connection', 'keep-alive').end('{}');
  });
  server.keepAliveTimeout = 10_000;
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  await client.post('/', Buffer.from('{}'));
  const idleFrom = performance.now();
  await closed;
  expect(performance.now() - idleFrom).toBeLessThan(4_500);
});
