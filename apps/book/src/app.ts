import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { PublicConfig } from '../app/config.ts'
import type { Config } from './config.ts'
import { securityHeaders } from './headers.ts'

/** What the server's bundle exports from `app/entry.server.tsx` beyond React Router's own. */
type Entry = {
  createVisit: (visit: {
    config: PublicConfig
    nonce: string
  }) => Parameters<ReturnType<typeof createRequestHandler>>[1]
}

export type AppOptions = {
  config: Config
  /** The server's bundle; in development a function that brings the newest. */
  build: ServerBuild | (() => Promise<ServerBuild>)
  /** Built files; in development Vite serves them. */
  files?: (request: Request) => Response | undefined
  dev?: boolean
}

/** The book as a function from request to response: files first, then pages. */
export function createApp({ config, build, files, dev = false }: AppOptions): Hono {
  const handle = createRequestHandler(build, dev ? 'development' : 'production')
  const app = new Hono()
  app.use(compress()) // pages only: built files arrive compressed, or are media
  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.all('*', async (c) => {
    const file = files?.(c.req.raw)
    if (file) return file
    const nonce = randomBytes(16).toString('base64')
    const { createVisit } = (typeof build === 'function' ? await build() : build).entry
      .module as unknown as Entry
    const origin = config.public.origin ?? new URL(c.req.url).origin
    const visit = createVisit({ config: { ...config.public, origin }, nonce })
    const page = await handle(c.req.raw, visit)
    for (const [name, value] of Object.entries(securityHeaders(config, nonce, dev))) {
      page.headers.set(name, value)
    }
    // The document holds a nonce and this server's configuration: it is asked for each time.
    if (!page.headers.has('Cache-Control')) page.headers.set('Cache-Control', 'no-store')
    return page
  })
  return app
}
