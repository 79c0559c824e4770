import { join } from 'node:path'
import { buildOnce, runBin } from '@gatefold/site'

/** Folder of the built site: `index.html`, `page.html`, `assets/`, and `hashes.json` with the hashes of these files. */
export const frameFolder = join(import.meta.dirname, 'dist')

/** Source files of the build. */
const inputs = [
  'packages/frame/src',
  'packages/frame/index.html',
  'packages/frame/page.html',
  'packages/frame/vite.config.ts',
  'packages/frame/listHashes.ts',
  'packages/frame/package.json',
  'packages/protocol/src',
  'package-lock.json',
]

/**
 * Builds the frame's site if its sources have changed since the last build.
 *
 * @returns Whether it was built.
 * @throws If the build fails; the message contains the bundler's output.
 */
export function buildFrame(): Promise<boolean> {
  return buildOnce({
    name: 'frame-build',
    inputs,
    output: join(frameFolder, 'index.html'),
    files: frameFolder,
    build: () =>
      runBin({ package: 'vite', bin: 'vite', args: ['build'], cwd: import.meta.dirname }),
  })
}
