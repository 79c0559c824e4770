import { defineConfig } from 'vitest/config'

/** One runner for everything; journeys drive a real Chromium through playwright-core. */
export default defineConfig({
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@gatefold/source', 'node', 'development|production'] } },
  test: {
    // For threads that the code itself starts.
    execArgv: ['--conditions=@gatefold/source'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.{ts,tsx}',
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
          // How long a condition may take to come true on a busy machine; it is left as soon as it does.
          expect: { poll: { timeout: 20_000 } },
          fileParallelism: true,
          maxWorkers: 2,
          // Where a file's tests run at once, they wait for sockets most of the time.
          maxConcurrency: 12,
        },
      },
    ],
  },
})
