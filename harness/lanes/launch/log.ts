import { closeSync, openSync, writeSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Bytes of a lane's log kept on disk; an engine in a crash loop must not fill it. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Lines kept in memory for messages. */
const TAIL_LINES = 200;
/** Longest line looked at; a longer one is cut. */
const MAX_LINE = 4_000;

/** A launched server's output: on disk with a cap, its last lines in memory, every line told as it comes. */
export class EngineLog {
  private readonly fd: number;
  private readonly onLine: (line: string) => void;
  private readonly rest = { out: '', err: '' };
  private readonly lines: string[] = [];
  private written = 0;
  private dropped = 0;

  constructor(file: string, onLine: (line: string) => void) {
    this.fd = openSync(file, 'w');
    this.onLine = onLine;
  }

  /** Bytes on disk so far: where the next slice begins. */
  get offset(): number {
    return this.written;
  }

  add(stream: 'out' | 'err', chunk: Buffer): void {
    const room = Math.max(0, MAX_BYTES - this.written);
    const kept = chunk.subarray(0, room);
    if (kept.length > 0) this.written += writeSync(this.fd, kept);
    this.dropped += chunk.length - kept.length;
    const parts = (this.rest[stream] + chunk.toString()).split(/\r?\n|\r/);
    this.rest[stream] = (parts.pop() ?? '').slice(-MAX_LINE);
    for (const part of parts) this.line(part);
  }

  private line(text: string): void {
    const plain = stripVTControlCharacters(text).slice(0, MAX_LINE);
    if (plain.trim() === '') return;
    this.lines.push(plain);
    if (this.lines.length > TAIL_LINES) this.lines.shift();
    this.onLine(plain);
  }

  /** The last lines, oldest first. */
  tail(count: number = TAIL_LINES): string[] {
    const open = [this.rest.out, this.rest.err].filter((text) => text.trim() !== '');
    return [...this.lines, ...open].slice(-count);
  }

  close(): void {
    if (this.dropped > 0) {
      const notice = `\n… ${this.dropped} bytes left out; the last lines:\n${this.tail().join('\n')}\n`;
      writeSync(this.fd, notice);
    }
    closeSync(this.fd);
  }
}
