import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

/** Unit tests beside the sources, and tests in `tests/` that use real servers and Chromium. */
export default defineConfig({
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@gatefold/source', 'node', 'development|production'] } },
  test: {
    // For worker threads that the code starts.
    execArgv: ['--conditions=@gatefold/source'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/{src,gallery}/**/*.test.{ts,tsx}',
            'apps/*/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', '**/build/**'],
          // By default, one worker less than cores. On two cores, both projects share the two workers.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['tests/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Generous, for busy machines; a poll returns as soon as its condition holds.
          expect: { poll: { timeout: 20_000 } },
          fileParallelism: true,
          maxWorkers: 2,
          // Concurrent tests of a file mostly wait for sockets.
          maxConcurrency: 12,
        },
      },
    ],
  },
})
