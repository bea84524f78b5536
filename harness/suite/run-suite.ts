import { existsSync } from 'node:fs';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase } from 'vitest/node';

/** How vitest judged a run folder. */
export interface SuiteResult {
  passed: number;
  failed: number;
  /** Not asserted because it only follows from a failure. */
  skipped: number;
  /** Errors outside of any test; a suite with one proves nothing. */
  errors: string[];
}

/** Starts vitest on a run folder through its Node API and counts what its tests say. */
export async function runSuite(runFolder: string, projectRoot: string): Promise<SuiteResult> {
  const { startVitest } = await import('vitest/node');
  const result: SuiteResult = { passed: 0, failed: 0, skipped: 0, errors: [] };
  const counter: Reporter = {
    onTestCaseResult(test: TestCase) {
      result[
        test.result().state === 'passed' ? 'passed' : test.result().state === 'failed' ? 'failed' : 'skipped'
      ]++;
    },
    onTestRunEnd(modules, unhandled) {
      const failed = modules.flatMap((module) => module.errors());
      result.errors.push(...[...failed, ...unhandled].map((error) => error.message));
    },
  };
  const exitCode = process.exitCode;
  const ours = keepSignals();
  const said: string[] = [];
  const vitest = await startVitest(
    'test',
    [],
    {
      root: fileURLToPath(new URL('./', import.meta.url)),
      config: false,
      watch: false,
      include: [suiteFile()],
      reporters: [counter],
      provide: { runFolder, projectRoot },
      pool: 'threads',
      maxWorkers: 1,
      isolate: false,
      testTimeout: 60_000,
    },
    { server: { watch: null }, logLevel: 'silent' },
    // It prints errors as they are, and what they quote may be a server's.
    { stdout: sink(() => {}), stderr: sink((text) => said.push(text)) },
  );
  await vitest.close();
  ours.release();
  // vitest sets the exit code itself; ours is decided from the results.
  process.exitCode = exitCode;
  if (result.passed + result.failed === 0 && result.errors.length === 0) result.errors.push(said.join(''));
  return result;
}

/**
 * An interrupt stays the caller's: vitest would end the process with 130 or 143. Whatever listens to the signals from now on
 * is taken off again before a signal can arrive.
 */
function keepSignals(): { release: () => void } {
  const onNew = (event: string | symbol, listener: () => void): void => {
    if (event === 'SIGINT' || event === 'SIGTERM') queueMicrotask(() => process.off(event, listener));
  };
  process.on('newListener', onNew);
  return { release: () => process.off('newListener', onNew) };
}

const sink = (take: (text: string) => void): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });

/** TypeScript in the repository, JavaScript in the published package. */
const suiteFile = (): string =>
  existsSync(new URL('./parity.suite.ts', import.meta.url)) ? 'parity.suite.ts' : 'parity.suite.js';
