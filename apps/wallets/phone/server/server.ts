import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen, type RunningSite, serveFiles } from '@gatefold/site'
import { createPhoneApp } from './app.ts'
import { phoneFolder } from './build.ts'
import { readPhoneConfig } from './config.ts'

/**
 * Serves the built phone wallet.
 *
 * @param options.port - TCP port; with 0, any free one
 * @throws {PhoneConfigError} If the environment is invalid.
 * @throws If the page has not been built (see `buildPhone`) or the port is in use (`EADDRINUSE`).
 */
export async function startPhone(options: {
  port: number
  env: Record<string, string | undefined>
  /** Address to bind; `127.0.0.1` by default. */
  hostname?: string | undefined
}): Promise<RunningSite> {
  const config = readPhoneConfig(options.env)
  const page = join(phoneFolder, 'index.html')
  if (!existsSync(page)) throw new Error('The phone wallet is not built yet. Call `buildPhone`.')
  const document = readFileSync(page, 'utf8')
  const app = createPhoneApp({ config, document, files: serveFiles(phoneFolder) })
  return listen(app.fetch, options)
}
