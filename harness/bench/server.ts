import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * A server that costs next to nothing: it gives back recorded answers in order, so that what a client costs is visible.
 * Argument: a folder of exchanges (`1.response.txt`, `2.response.txt`, …). Prints its URL.
 */
const folder = process.argv[2] ?? '.';
const answers = readdirSync(folder)
  .filter((name) => name.endsWith('.response.txt'))
  .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  .map((name) => readFileSync(join(folder, name)));
let next = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answer = answers[next++ % answers.length] ?? Buffer.alloc(0);
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      .end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
