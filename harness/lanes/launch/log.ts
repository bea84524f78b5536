import { closeSync, openSync, writeSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Bytes of a lane's log kept on disk; an engine in a crash loop must not fill it. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Lines kept in memory for messages. */
const TAIL_LINES = 200;
/** Longest line kept; a longer one is cut. */
const MAX_LINE = 4_000;

export interface LogOptions {
  /** Takes secrets out of a line before it is kept anywhere. */
  hide: (line: string) => string;
  /** Told every line as it came, secrets included. */
  onLine: (line: string) => void;
}

/** A launched server's output, line by line: on disk with a cap, the last lines in memory, every line told as it comes. */
export class EngineLog {
  private readonly fd: number;
  private readonly options: LogOptions;
  private readonly rest = { out: '', err: '' };
  private readonly lines: string[] = [];
  private written = 0;
  private dropped = 0;
  private closed = false;

  constructor(file: string, options: LogOptions) {
    this.fd = openSync(file, 'w');
    this.options = options;
  }

  /** Bytes on disk so far: where the next slice begins. */
  get offset(): number {
    return this.written;
  }

  add(stream: 'out' | 'err', chunk: Buffer): void {
    // What comes out of a pipe after the end has no file to go to.
    if (this.closed) return;
    const parts = (this.rest[stream] + chunk.toString()).split(/\r?\n|\r/);
    this.rest[stream] = (parts.pop() ?? '').slice(0, MAX_LINE);
    for (const part of parts) this.line(part);
  }

  private line(text: string): void {
    const said = stripVTControlCharacters(text).slice(0, MAX_LINE);
    if (said.trim() === '') return;
    const plain = this.options.hide(said);
    const bytes = Buffer.from(`${plain}\n`);
    if (this.written + bytes.length <= MAX_BYTES) this.written += writeSync(this.fd, bytes);
    else this.dropped++;
    this.lines.push(plain);
    if (this.lines.length > TAIL_LINES) this.lines.shift();
    this.options.onLine(said);
  }

  /** The last lines, oldest first. */
  tail(count: number = TAIL_LINES): string[] {
    const open = [this.rest.out, this.rest.err].filter((text) => text.trim() !== '').map(this.options.hide);
    return [...this.lines, ...open].slice(-count);
  }

  close(): void {
    for (const stream of ['out', 'err'] as const) this.add(stream, Buffer.from('\n'));
    this.closed = true;
    if (this.dropped > 0) {
      writeSync(this.fd, `… ${this.dropped} lines left out; the last ones:\n${this.tail().join('\n')}\n`);
    }
    closeSync(this.fd);
  }
}
