// Three projects: `unit` is quick and pure, `simulation` drives the whole engine in virtual time, `e2e` starts real processes on loopback.
// The end-to-end tests come last and one by one: they measure on the wall clock, and other tests would take the processor from them.
// Time limits are there to end what hangs. They are far above what a test takes, since a busy machine proves nothing wrong.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { 'dyno-load': fileURLToPath(new URL('./src/index.ts', import.meta.url)) };

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['test/{unit,property,golden,types}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'e2e',
          globalSetup: ['test/support/built-package.ts'],
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
