import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BundlerMissingError } from '../errors.ts'

const program = fileURLToPath(
  new URL('../../bundler/node_modules/@pimlico/alto/esm/cli/alto.js', import.meta.url),
)

/** Whether the bundler is installed. */
export function hasBundler(path = program): boolean {
  return existsSync(path)
}

/**
 * Path of the bundler alto, which `npm run bundler -w @gatefold/chain` installs. Its license is GPL-3.0, so it is only run as
 * a separate program.
 *
 * @throws BundlerMissingError if it is not installed
 */
export function findAlto(path = program): string {
  if (!hasBundler(path)) throw new BundlerMissingError()
  return path
}
