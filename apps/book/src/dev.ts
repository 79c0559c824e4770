import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { loopback } from '@gatefold/site'
import type { ServerBuild } from 'react-router'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import type { BookOptions, RunningBook } from './server.ts'

/** Serves the Book from its sources, with Vite and hot module replacement. */
export async function startBookDev({ port, env, hostname }: BookOptions): Promise<RunningBook> {
  const { createServer } = await import('vite')
  const config = readConfig(env)
  const http = createHttpServer()
  const vite = await createServer({
    root: join(import.meta.dirname, '..'),
    server: {
      middlewareMode: true,
      hmr: { server: http },
      // Vite's default is the whole repository, which contains the stack's database and keys. Modules
      // that the app imports from other folders are served regardless, but the fonts in their CSS are not.
      fs: { allow: ['.', '../../node_modules/@fontsource-variable'] },
    },
  })
  const app = createApp({
    config,
    build: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
    dev: true,
  })
  const page = getRequestListener(app.fetch)
  http.on('request', (request, response) => {
    vite.middlewares(request, response, () => void page(request, response))
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, hostname ?? loopback, resolve)
  })
  const address = http.address() as AddressInfo
  return {
    url: `http://localhost:${address.port}`,
    port: address.port,
    async stop() {
      await vite.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

if (import.meta.main) {
  const book = await startBookDev({
    port: Number(process.env['PORT'] ?? 3000),
    hostname: process.env['BOOK_HOST'],
    env: process.env,
  })
  process.stdout.write(`Book of Ethereum, from its sources: ${book.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void book.stop())
  }
}
