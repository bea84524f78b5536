import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaunchError } from './error.ts';

/**
 * Below the ports that a kernel hands out by itself (32768 and up on Linux, 49152 elsewhere), so that no connection of anybody
 * can take one between our look and the server's bind.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** One for each user: another's files could not be taken over. */
const folder = (): string => join(tmpdir(), `parity-ports-${process.getuid?.() ?? 'user'}`);

export interface Reservation {
  port: number;
  release(): void;
}

/** A free loopback port that no other harness of this user is given until it is released. Throws {@link LaunchError}. */
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
  throw new LaunchError(`no free port between ${FIRST} and ${LAST}`);
}

/** Makes the lock file in one step; one whose owner is gone is taken over. */
function takeLock(lock: string): boolean {
  if (makeLock(lock)) return true;
  if (ownerLives(lock) || !removeStale(lock)) return false;
  return makeLock(lock);
}

function makeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new LaunchError(`a port cannot be reserved: ${(error as Error).message}`);
  }
}

/** Takes a dead owner's file away; of two that try, one succeeds, and a living owner's goes back. */
function removeStale(lock: string): boolean {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return false;
  }
  const stolen = ownerLives(aside);
  if (stolen) renameSync(aside, lock);
  else rmSync(aside, { force: true });
  return !stolen;
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
