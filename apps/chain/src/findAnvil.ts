import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AnvilMissingError } from './errors.ts'

/**
 * Path of the anvil binary for this platform.
 *
 * Bypasses the `@foundry-rs/anvil` wrapper, which costs an extra process and about 300 ms. The binary is
 * in an optional package for each platform.
 *
 * @throws AnvilMissingError if that package is missing
 */
export function findAnvil(
  platform: NodeJS.Platform = process.platform,
  architecture: string = process.arch,
): string {
  const packageName = `@foundry-rs/anvil-${platform}-${architecture === 'x64' ? 'amd64' : architecture}`
  try {
    // The platform packages are dependencies of the wrapper, so they are resolved from there.
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const folder = dirname(createRequire(wrapper).resolve(`${packageName}/package.json`))
    const binary = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil')
    if (existsSync(binary)) return binary
  } catch (error) {
    throw new AnvilMissingError(packageName, error)
  }
  throw new AnvilMissingError(packageName)
}
