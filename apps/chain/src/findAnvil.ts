import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AnvilMissingError } from './errors.ts'

/**
 * Path of the anvil binary for this machine.
 *
 * The `@foundry-rs/anvil` package is only a wrapper that starts it, at the price of a second process
 * and some 300 ms; the binary lies in one optional package per platform.
 *
 * @throws AnvilMissingError where that package is not installed or does not exist
 */
export function findAnvil(
  platform: NodeJS.Platform = process.platform,
  architecture: string = process.arch,
): string {
  const packageName = `@foundry-rs/anvil-${platform}-${architecture === 'x64' ? 'amd64' : architecture}`
  try {
    // The platform packages are dependencies of the wrapper, so they are looked up from there.
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const folder = dirname(createRequire(wrapper).resolve(`${packageName}/package.json`))
    const binary = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil')
    if (existsSync(binary)) return binary
  } catch (error) {
    throw new AnvilMissingError(packageName, error)
  }
  throw new AnvilMissingError(packageName)
}
