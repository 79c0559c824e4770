import { defineConfig } from 'vitest/config'

/** Unit tests beside the sources, and tests in `tests/` that use real servers and Chromium. */
export default defineConfig({
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@gatefold/source', 'node', 'development|production'] } },
  test: {
    // For worker threads that the code starts.
    execArgv: ['--conditions=@gatefold/source'],
    // By default, one worker less than cores. Projects with the same number share the workers.
    maxWorkers: 2,
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
          // Concurrent tests of a file mostly wait for sockets.
          maxConcurrency: 12,
        },
      },
    ],
  },
})
