import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const cores = Math.max(2, availableParallelism())

/** Files that take long although they are small, the longest first. vitest starts with the largest files. */
const long = [
  'tests/examples/examples.test.ts',
  'tests/ui/axe.test.ts',
  'bench/bench.test.ts',
  'tests/docs/firstHour.test.ts',
  'tests/journeys/swapSmartAccount.test.ts',
  'tests/journeys/walletConnect.test.ts',
  'tests/frame/killed.test.ts',
  'tests/frame/social.test.ts',
  'tests/journeys/socials.test.ts',
  'tests/faults/faults.test.ts',
  'packages/server/src/relay/delivery.test.ts',
  'packages/server/src/relay/limits.test.ts',
]

/** Starts with the long files, so that no worker is idle while another one runs them at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? long.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Unit tests beside the sources, and tests in `tests/` that use real servers and Chromium. */
export default defineConfig({
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@gatefold/source', 'node', 'development|production'] } },
  test: {
    // For worker threads that the code starts.
    execArgv: ['--conditions=@gatefold/source'],
    // A busy machine takes several times as long as an idle one. Playwright's limit for each step is in tests/browser.ts.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // `npm run attacks` sets a shorter limit, because the polls of a test whose guard is off do not succeed.
    expect: { poll: { timeout: Number(process.env['GATEFOLD_POLL_TIMEOUT'] ?? 40_000) } },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/{frame,kit,protocol,sign}/{src,gallery}/**/*.test.{ts,tsx}'],
          // These tests start no servers and leave no global state. Modules are evaluated once for each worker, which takes
          // a third of the CPU time.
          isolate: false,
          maxWorkers: cores,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            'packages/server/src/**/*.test.ts',
            'apps/*/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', '**/build/**'],
          // They wait for timers, databases and sockets for a third of the time.
          maxWorkers: cores + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['tests/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
          setupFiles: ['tests/describeFailures.ts'],
          exclude: ['**/node_modules/**'],
          fileParallelism: true,
          // A page uses several processes. More workers take as long, and each step waits longer for a core.
          maxWorkers: cores,
          sequence: { groupOrder: 0 },
          // Concurrent tests of a file mostly wait for sockets.
          maxConcurrency: 12,
        },
      },
    ],
  },
})
