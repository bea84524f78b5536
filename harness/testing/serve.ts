import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { REPOSITORY } from './cli.ts';

/** `parity serve` as a child; gives its URL once it has said that it listens. */
export async function serve(...args: string[]): Promise<{ url: string; pid: number }> {
  const child = execa(process.execPath, [join(REPOSITORY, 'harness/cli.ts'), 'serve', ...args], {
    cwd: REPOSITORY,
    reject: false,
    buffer: false,
  });
  onTestFinished(async () => {
    child.kill();
    await child;
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return JSON.parse(line.toString());
}
