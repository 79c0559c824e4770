import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listen, type RunningSite, serveFiles } from '@gatefold/site'
import type { ServerBuild } from 'react-router'
import { createApp } from './app.ts'
import { readConfig, type Environment } from './config.ts'

const buildFolder = join(import.meta.dirname, '../build')

export type BookOptions = {
  /** TCP port; 0 for any free one. */
  port: number
  env: Environment
  /** Address to bind; `127.0.0.1` by default. */
  hostname?: string | undefined
}

export type RunningBook = RunningSite

/**
 * Serves the production build of the Book.
 *
 * @throws {ConfigError} If the environment is invalid.
 * @throws If the Book has not been built (see `buildBook`) or the port is in use (`EADDRINUSE`).
 * @example
 * await buildBook()
 * const book = await startBook({ port: 3000, env: process.env })
 */
export async function startBook({ port, env, hostname }: BookOptions): Promise<RunningBook> {
  const config = readConfig(env)
  const bundle = join(buildFolder, 'server/index.js')
  if (!existsSync(bundle)) throw new Error('The Book is not built. Run `npm run build` first.')
  const build = (await import(pathToFileURL(bundle).href)) as ServerBuild
  const app = createApp({ config, build, files: serveFiles(join(buildFolder, 'client')) })
  return listen(app.fetch, { port, hostname })
}
