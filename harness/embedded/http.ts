import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT, ParityError } from '../errors.ts';

/** One request as an emulated server sees it. */
export interface HttpRequest {
  method: string;
  path: string;
  /** What follows the path: empty, or from the question mark on. */
  query: string;
  host: string | undefined;
  contentType: string | undefined;
  body: Buffer;
}

/** One answer; a list of chunks is sent as it is written, as server-sent events are. */
export interface HttpAnswer {
  status: number;
  /** Absent for a redirect. */
  contentType?: string;
  body: string | readonly string[];
  headers?: Record<string, string>;
}

export type HttpApp = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** Request bodies above this are refused with 413. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** Where an app listens, and how. */
interface Listening {
  /** Goes into every answer's `server` header. */
  name: string;
  host: string;
  port: number;
  /** How long a client's pooled socket stays good between two turns. */
  keepAliveMs: number;
}

/** A listening app. Throws {@link ParityError} for a taken port. */
export async function listen(
  app: HttpApp,
  { name, host, port, keepAliveMs }: Listening,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    response.setHeader('server', name);
    void serve(app, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new ParityError(EXIT.infra, `cannot listen: ${code ?? 'unknown error'}`, {
          where: `${host}:${port}`,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(app: HttpApp, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await readBody(request);
    if (body === undefined) return send(response, plain(413, 'Too Large'));
    const target = request.url ?? '/';
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? '' : target.slice(mark);
    const { host, 'content-type': contentType } = request.headers;
    send(response, await app({ method: request.method ?? 'GET', path, query, host, contentType, body }));
  } catch (error) {
    // The emulated app turns its own errors into answers; what lands here is a bug or a client that went away.
    if (response.headersSent || request.destroyed) return void response.destroy();
    process.stderr.write(`embedded server: ${error instanceof Error ? error.stack : String(error)}\n`);
    send(response, plain(500, 'parity-embedded: internal error'));
  }
}

const plain = (status: number, body: string): HttpAnswer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
});

/** Undefined for a body above the limit, which is read to its end but not kept: only then can an answer be sent. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > BODY_LIMIT ? undefined : Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, contentType, body, headers }: HttpAnswer): void {
  response.writeHead(status, { ...(contentType ? { 'content-type': contentType } : {}), ...headers });
  if (typeof body === 'string') return void response.end(body);
  for (const chunk of body) response.write(chunk);
  response.end();
}
