import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { dirname, join } from 'node:path';
import { type Check, fail, ok, warn } from './check.ts';

/** The nearest folder at or above a path that exists. */
function existing(path: string): string {
  let at = path;
  while (statSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Writes a file where runs will write, and takes it away again. */
export function writableCheck(reports: string): Check {
  const at = existing(reports);
  const remedy = `make ${reports} a folder that you may write, or use \`parity run --out DIR\``;
  if (!statSync(at).isDirectory()) return fail('reports', `${at} is no folder`, remedy);
  try {
    const folder = mkdtempSync(join(at, '.doctor-'));
    writeFileSync(join(folder, 'written'), 'x');
    rmSync(folder, { recursive: true });
    return ok('reports', `${reports} can be written`);
  } catch (error) {
    return fail('reports', (error as Error).message, remedy);
  }
}

/** A run writes some 10 MB, a checkpoint 80. */
const LOW_BYTES = 1e9;
const NO_BYTES = 1e8;

/** Free bytes of the file system that reports lie on. */
export function freeBytes(reports: string): number {
  const { bavail, bsize } = statfsSync(existing(reports));
  return bavail * bsize;
}

export function diskCheck(free: number): Check {
  const size = `${(free / 1e9).toFixed(1)} GB free`;
  const remedy = 'delete old run folders under reports/';
  if (free < NO_BYTES) return fail('disk', size, remedy);
  return free < LOW_BYTES ? warn('disk', size, remedy) : ok('disk', size);
}

/** Listens on a free port of the loopback address and talks to itself. */
export async function loopbackCheck(host = '127.0.0.1'): Promise<Check> {
  const server = createServer((socket) => socket.end('hello'));
  try {
    server.listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server that listens has one
    const socket = dial({ port, host, timeout: 5_000 });
    socket.on('timeout', () => socket.destroy(new Error('no answer within 5 s')));
    let heard = '';
    for await (const part of socket) heard += String(part);
    if (heard !== 'hello') throw new Error('something else answered');
    return ok('loopback', `a server on ${host} can be reached, and ports are free`);
  } catch (error) {
    return fail('loopback', (error as Error).message, `allow connections to ${host} in this container`);
  } finally {
    server.close();
  }
}

/** Whether something listens at an address. */
export async function listens(host: string, port: number): Promise<boolean> {
  const socket = dial({ host, port, timeout: 3_000 });
  try {
    socket.on('timeout', () => socket.destroy(new Error('timeout')));
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
