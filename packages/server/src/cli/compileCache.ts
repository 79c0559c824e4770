import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Caches compiled modules in the data folder, so that the next start takes half the time. Without write
 * access to the folder, the server compiles its modules at every start.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export function cacheCompiledModules(env: Record<string, string | undefined>): void {
  const dataDir = env['GATEFOLD_DATA_DIR'] || '.gatefold'
  if (dataDir === ':memory:') return
  try {
    // Only the owner may write code that this server will run.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    return // openStorage reports this error
  }
  // The default is the folder for temporary files, which other users can write to.
  enableCompileCache(join(dataDir, 'compile-cache'))
}
