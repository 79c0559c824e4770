import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { ServerBuild } from 'react-router'
import type { Visit } from '../app/config.ts'
import type { Config } from './config.ts'
import { securityHeaders } from './headers.ts'

/** What the server's bundle exports from `app/entry.server.tsx` beyond React Router's own. */
type Entry = {
  createHandler: (
    build: ServerBuild,
    mode: 'production' | 'development',
  ) => (request: Request, visit: Visit) => Promise<Response>
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
  const app = new Hono()
  app.use(compress()) // pages only: built files arrive compressed, or are media
  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.all('*', async (c) => {
    const file = files?.(c.req.raw)
    if (file) return file
    const nonce = randomBytes(16).toString('base64')
    const bundle = typeof build === 'function' ? await build() : build
    const { createHandler } = bundle.entry.module as unknown as Entry
    const handle = createHandler(bundle, dev ? 'development' : 'production')
    const origin = config.public.origin ?? new URL(c.req.url).origin
    const page = await handle(c.req.raw, { config: { ...config.public, origin }, nonce })
    for (const [name, value] of Object.entries(securityHeaders(config, nonce, dev))) {
      page.headers.set(name, value)
    }
    // The document holds a nonce and this server's configuration: it is asked for each time.
    if (!page.headers.has('Cache-Control')) page.headers.set('Cache-Control', 'no-store')
    return page
  })
  return app
}
