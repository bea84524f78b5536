import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports that a kernel hands out by itself (32768 and up on Linux, 49152 elsewhere), so that no connection of anybody
 * can take one between our look and the server's bind.
 */
const FIRST = 20_000;
const LAST = 32_000;

const folder = (): string => join(tmpdir(), 'parity-ports');

export interface Reservation {
  port: number;
  release(): void;
}

/** A free loopback port that no other harness on this machine is given until it is released. */
export async function reservePort(): Promise<Reservation> {
  mkdirSync(folder(), { recursive: true });
  const start = FIRST + (process.pid % (LAST - FIRST));
  for (let step = 0; step < LAST - FIRST; step++) {
    const port = FIRST + ((start - FIRST + step) % (LAST - FIRST));
    const lock = join(folder(), String(port));
    if (!takeLock(lock)) continue;
    if (await isFree(port)) return { port, release: () => rmSync(lock, { force: true }) };
    rmSync(lock, { force: true });
  }
  throw new Error(`no free port between ${FIRST} and ${LAST}`);
}

/** Makes the lock file in one step; one whose owner is gone is taken over. */
function takeLock(lock: string): boolean {
  for (const _ of [1, 2]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      if (ownerLives(lock)) return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function ownerLives(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a server could listen on this loopback port now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
