import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import type { ServerBuild } from 'react-router'
import { createApp } from './app.ts'
import { readConfig, type Environment } from './config.ts'
import { serveFiles } from './files.ts'

const buildFolder = join(import.meta.dirname, '../build')

export type BookOptions = {
  /** TCP port; 0 takes any free one. */
  port: number
  env: Environment
  /** Defaults to every address of the machine. */
  hostname?: string
}

export type RunningBook = {
  url: string
  port: number
  /** Closes the port and every connection. */
  stop(): Promise<void>
}

/**
 * Serves the production build of the book.
 *
 * @throws {ConfigError} When the environment is wrong.
 * @throws When nothing was built (`buildBook` does) or the port is taken (`EADDRINUSE`).
 * @example
 * await buildBook()
 * const book = await startBook({ port: 3000, env: process.env })
 */
export async function startBook({ port, env, hostname }: BookOptions): Promise<RunningBook> {
  const config = readConfig(env)
  const bundle = join(buildFolder, 'server/index.js')
  if (!existsSync(bundle)) throw new Error('The book is not built yet. Run `npm run build` first.')
  const build = (await import(pathToFileURL(bundle).href)) as ServerBuild
  const app = createApp({ config, build, files: serveFiles(join(buildFolder, 'client')) })
  return listen(app.fetch, { port, hostname })
}

/** Opens the port, and resolves once requests are answered there. */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, hostname }: { port: number; hostname?: string | undefined },
): Promise<RunningBook> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, ...(hostname && { hostname }) }, (address) => {
      server.off('error', reject)
      resolve({
        url: `http://localhost:${address.port}`,
        port: address.port,
        stop: () => close(server as Server),
      })
    })
    server.once('error', reject)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections() // a video may still be on its way
  })
}
