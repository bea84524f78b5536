import { errors, Pool } from 'undici';

/** Limits that are ours and not the library's: a real engine may think for minutes. */
export interface ClientLimits {
  /** Until the headers arrive. */
  headersMs: number;
  /** Between two pieces of a body. */
  bodyMs: number;
  /** Bytes of one body; server output is hostile. */
  maxBytes: number;
  /** Until the body has ended, against an answer that drips. @default no limit */
  totalMs?: number;
}

export const DEFAULT_LIMITS: ClientLimits = {
  headersMs: 600_000,
  bodyMs: 600_000,
  maxBytes: 16 * 1024 * 1024,
};

/** Times in milliseconds since `performance.timeOrigin`. */
export interface Received {
  kind: 'response';
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  sentAt: number;
  headersAt: number;
  endedAt: number;
}

/** No HTTP answer: infrastructure, never a verdict about a server. */
export interface NotReceived {
  kind: 'no_answer';
  reason: string;
  sentAt: number;
  endedAt: number;
}

/** Sends bytes we own to one server, one request at a time unless told otherwise. Never retries. */
export class ChatClient {
  /** The URL without credentials, for messages. */
  readonly shownUrl: string;
  private readonly path: string;
  private readonly pool: Pool;
  private readonly limits: ClientLimits;
  private readonly headers: Record<string, string>;
  private opened = 0;

  constructor(url: string, options: { limits?: ClientLimits; apiKey?: string | undefined } = {}) {
    const { origin, pathname, username, password } = new URL(url);
    this.path = pathname.replace(/\/$/, '');
    this.shownUrl = origin + this.path;
    this.limits = options.limits ?? DEFAULT_LIMITS;
    this.headers = { 'content-type': 'application/json', accept: 'application/json' };
    if (username !== '') {
      const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    if (options.apiKey) this.headers.authorization = `Bearer ${options.apiKey}`;
    this.pool = new Pool(origin, {
      connections: 1,
      // NeMo-RL's TRT-LLM server closes idle connections after 5 s; a stale socket would look like a dead server.
      keepAliveTimeout: 3_000,
      keepAliveMaxTimeout: 3_000,
      headersTimeout: this.limits.headersMs,
      bodyTimeout: this.limits.bodyMs,
    });
    this.pool.on('connect', () => {
      this.opened++;
    });
  }

  /** Connections opened so far: as many as requests where the server keeps none alive. */
  get connections(): number {
    return this.opened;
  }

  post(path: string, body: Buffer, signal?: AbortSignal): Promise<Received | NotReceived> {
    return this.send('POST', path, body, signal);
  }

  get(path: string, signal?: AbortSignal): Promise<Received | NotReceived> {
    return this.send('GET', path, undefined, signal);
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    body: Buffer | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Received | NotReceived> {
    const sentAt = performance.now();
    const { totalMs } = this.limits;
    const limit = totalMs === undefined ? undefined : AbortSignal.timeout(totalMs);
    const stop = signal && limit ? AbortSignal.any([signal, limit]) : (signal ?? limit);
    try {
      const response = await this.pool.request({
        method,
        path: this.path + path,
        headers: this.headers,
        body: body ?? null,
        ...(stop ? { signal: stop } : {}),
      });
      const headersAt = performance.now();
      const bytes = await this.read(response.body);
      const { statusCode: status, headers } = response;
      return {
        kind: 'response',
        status,
        headers,
        body: bytes,
        sentAt,
        headersAt,
        endedAt: performance.now(),
      };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = limit?.aborted
        ? `no whole answer within our own limit of ${(totalMs ?? 0) / 1000} s`
        : this.explain(error);
      return { kind: 'no_answer', reason, sentAt, endedAt: performance.now() };
    }
  }

  private async read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > this.limits.maxBytes)
        throw new Error(`the body is larger than ${this.limits.maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  private explain(error: unknown): string {
    if (error instanceof errors.HeadersTimeoutError) {
      return `no answer within our own limit of ${this.limits.headersMs / 1000} s`;
    }
    if (error instanceof errors.BodyTimeoutError) {
      return `the answer stalled for our own limit of ${this.limits.bodyMs / 1000} s`;
    }
    const fault = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
    const code = fault.code ?? fault.errors?.[0]?.code;
    if (code === 'ECONNREFUSED') return 'connection refused';
    if (code === 'ENOTFOUND') return 'host not found';
    if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'the server closed the connection';
    return fault.message || String(code ?? error);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
