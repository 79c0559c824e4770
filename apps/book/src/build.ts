import { join } from 'node:path'
import { buildOnce, runBin } from '@gatefold/site'

const book = join(import.meta.dirname, '..')

/** Source files of the bundles. */
const inputs = [
  'apps/book/app',
  'apps/book/public',
  'apps/book/package.json',
  'apps/book/react-router.config.ts',
  'apps/book/vite.config.ts',
  'apps/wallets/src',
  'packages/kit/src',
  'packages/kit/package.json',
  'packages/protocol/src',
  'packages/sign/src',
  'package-lock.json',
]

/**
 * Builds the Book for production if its sources have changed since the last build.
 *
 * @returns Whether it was built.
 * @throws If the build fails; the message contains the bundler's output.
 */
export function buildBook(): Promise<boolean> {
  return buildOnce({
    name: 'book-build',
    inputs,
    output: join(book, 'build/server/index.js'),
    files: join(book, 'build/client'),
    build: () =>
      runBin({ package: '@react-router/dev', bin: 'react-router', args: ['build'], cwd: book }),
  })
}

if (import.meta.main) {
  const fresh = await buildBook()
  process.stdout.write(fresh ? 'Built the Book.\n' : 'The Book is up to date.\n')
}
