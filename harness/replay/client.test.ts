import { expect, test } from 'vitest';
import { standIn } from '../testing/stand-in.ts';
import { ChatClient, DEFAULT_LIMITS } from './client.ts';

test('a body beyond 16 MiB is not read to its end', async () => {
  let sent = 0;
  const url = await standIn((_, response) => {
    const more = (): void => {
      while (sent < 4 * DEFAULT_LIMITS.maxBytes) {
        sent += 1024 * 1024;
        if (!response.write(Buffer.alloc(1024 * 1024, ' '))) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const client = new ChatClient(url);
  const answer = await client.post('/', Buffer.from('{}'));
  await client.close();
  expect(answer).toMatchObject({
    kind: 'no_answer',
    reason: 'the body is larger than 16777216 bytes',
  });
  expect(sent).toBeLessThan(2 * DEFAULT_LIMITS.maxBytes);
});
