import { defineConfig } from 'vitest/config';

/** The harness's own tests. `parity run` starts vitest with its own inline config instead (see run-suite.ts). */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['harness/**/*.test.ts'],
    // The tokenizer costs half a second a process: load it once per worker, not once per file.
    isolate: false,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
