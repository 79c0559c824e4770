import { join } from 'node:path'
import { buildOnce, runBin } from '@gatefold/site'

const wallets = join(import.meta.dirname, '../..')

/** Where the built page is. */
export const phoneFolder = join(wallets, 'build/phone')

/** Everything the page is made of. */
const inputs = [
  'apps/wallets/phone',
  'apps/wallets/src',
  'apps/wallets/package.json',
  'packages/protocol/src',
  'packages/sign/src',
  'package-lock.json',
]

/**
 * Builds the phone wallet's page, unless the last build was made of the same sources.
 *
 * @returns Whether it had to build.
 * @throws When the build fails; what the bundler said is in the message.
 */
export function buildPhone(): Promise<boolean> {
  return buildOnce({
    name: 'phone-build',
    inputs,
    proof: join(phoneFolder, 'index.html'),
    files: phoneFolder,
    build: () =>
      runBin({
        package: 'vite',
        bin: 'vite',
        args: ['build', '--config', 'phone/vite.config.ts'],
        cwd: wallets,
      }),
  })
}

if (import.meta.main) {
  const fresh = await buildPhone()
  process.stdout.write(
    fresh ? 'The phone wallet is built.\n' : 'The phone wallet was built already.\n',
  )
}
