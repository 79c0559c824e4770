import { join } from 'node:path'
import { buildOnce, runBin } from '@gatefold/site'

const book = join(import.meta.dirname, '..')

/** Everything the bundles are made of. */
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
 * Builds the book for production, unless the last build was made of the same sources.
 *
 * @returns Whether it had to build.
 * @throws When the build fails; what the bundler said is in the message.
 */
export function buildBook(): Promise<boolean> {
  return buildOnce({
    name: 'book-build',
    inputs,
    proof: join(book, 'build/server/index.js'),
    files: join(book, 'build/client'),
    build: () =>
      runBin({ package: '@react-router/dev', bin: 'react-router', args: ['build'], cwd: book }),
  })
}

if (import.meta.main) {
  const fresh = await buildBook()
  process.stdout.write(fresh ? 'The book is built.\n' : 'The book was built already.\n')
}
