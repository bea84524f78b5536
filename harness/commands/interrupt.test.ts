import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { REPOSITORY, temporaryProject } from '../testing/cli.ts';
import { standIn } from '../testing/stand-in.ts';

/** Starts `parity` as a child, waits for a text in what it prints or for a sign, then some time, and interrupts that process. */
async function interrupted(
  args: string[],
  {
    cwd,
    until,
    delayMs = 0,
    env = {},
  }: { cwd: string; until: RegExp | Promise<unknown>; delayMs?: number; env?: object },
) {
  const child = execa(process.execPath, [join(REPOSITORY, 'harness/cli.ts'), ...args], {
    cwd,
    env: { CI: '', NO_COLOR: '1', ...env },
    reject: false,
    all: true,
  });
  let seen = '';
  if (until instanceof RegExp) while (!until.test(seen)) seen += String((await once(child.all, 'data'))[0]);
  else await until;
  await wait(delayMs);
  child.kill('SIGINT');
  const { exitCode, signal, all } = await child;
  return { exitCode, signal, all };
}

/** Milliseconds after the last scenario was played; vitest compares for most of them. */
const MOMENTS = [0, 400, 800, 1200, 1600];

test.for(MOMENTS)('an interrupt %i ms into the comparing is no verdict: exit 4', async (delayMs) => {
  const cwd = temporaryProject();
  const until = /embedded-trtllm: 1 of 1 scenarios/;
  const { exitCode, signal, all } = await interrupted(['run', '--out', 'run'], { cwd, until, delayMs });
  expect(signal).toBeUndefined();
  // On a fast machine the run may have ended before.
  if (exitCode === 0) expect(all).toContain('EQUAL ');
  else {
    expect(all).toContain('INCOMPLETE  interrupted (exit 4)');
    expect(exitCode).toBe(4);
    expect(JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8')).status).toBe('incomplete');
  }
});

test('an interrupted `--plant all` is neither caught nor missed: exit 4', async () => {
  const { exitCode, all } = await interrupted(['run', '--plant', 'all'], {
    cwd: REPOSITORY,
    until: /caught/,
  });
  expect(all).toContain('parity: interrupted');
  expect(all).not.toMatch(/MISSED|planted faults caught where declared/);
  expect(exitCode).toBe(4);
});

test('an interrupted recording says what was written before', async () => {
  const cwd = temporaryProject();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const silent = await standIn(() => resolve());
  rmSync(join(cwd, 'goldens/teleprompter-256/spliced/tools/weather.json'));
  const record = (lanes: string, until: RegExp | Promise<unknown>) =>
    interrupted(['record', '--lane', lanes, '--update', 'all', '--reason', 'x'], {
      cwd,
      until,
      env: { PARITY_VLLM_URL: silent },
    });
  const nothing = await record('attach-vllm', asked);
  expect(nothing).toMatchObject({ exitCode: 4, all: 'parity: interrupted\n  nothing was written' });
  const some = await record('embedded-vllm,attach-vllm', /embedded-vllm: 1 written/);
  expect(some.all.split('\n').slice(-2)).toMatchInlineSnapshot(`
    [
      "parity: interrupted",
      "  goldens written before: 1; codebook entries appended: 0",
    ]
  `);
  expect(some.exitCode).toBe(4);
});
