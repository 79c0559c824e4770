import { join } from 'node:path'
import { buildOnce, runBin } from '@gatefold/site'

const wallets = join(import.meta.dirname, '../..')

/** Folder of the built page. */
export const phoneFolder = join(wallets, 'build/phone')

/** Source files of the build. */
const inputs = [
  'apps/wallets/phone',
  'apps/wallets/src',
  'apps/wallets/package.json',
  'packages/protocol/src',
  'packages/sign/src',
  'package-lock.json',
]

/**
 * Builds the phone wallet's page if its sources have changed since the last build.
 *
 * @returns Whether it was built.
 * @throws If the build fails; the message contains the bundler's output.
 */
export function buildPhone(): Promise<boolean> {
  return buildOnce({
    name: 'phone-build',
    inputs,
    output: join(phoneFolder, 'index.html'),
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
  process.stdout.write(fresh ? 'Built the phone wallet.\n' : 'The phone wallet is up to date.\n')
}
