import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Keeps compiled modules in the data folder, which halves the time of the next start. A folder that
 * cannot be written is no error: the server then compiles each time.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export function cacheCompiledModules(env: Record<string, string | undefined>): void {
  const dataDir = env['GATEFOLD_DATA_DIR'] || '.gatefold'
  // Not the folder for temporary files, which is the default: there other users may write.
  if (dataDir !== ':memory:') enableCompileCache(join(dataDir, 'compile-cache'))
}
