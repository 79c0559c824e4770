import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { ServerBuild } from 'react-router'
import type { ServerContext } from '../app/config.ts'
import type { Config } from './config.ts'
import { securityHeaders } from './headers.ts'

/** Additional exports of `app/entry.server.tsx` in the server bundle. */
type Entry = {
  createHandler: (
    build: ServerBuild,
    mode: 'production' | 'development',
  ) => (request: Request, server: ServerContext) => Promise<Response>
}

export type AppOptions = {
  config: Config
  /** The server bundle; in development, a function that loads the current one. */
  build: ServerBuild | (() => Promise<ServerBuild>)
  /** Serves the built files. Omit it in development, where Vite serves them. */
  files?: (request: Request) => Response | undefined
  dev?: boolean
}

/** The Book as a Hono app: serves files first, then pages. */
export function createApp({ config, build, files, dev = false }: AppOptions): Hono {
  const app = new Hono()
  app.use(compress()) // for pages: built files are precompressed or media
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
    // The document contains a nonce and the server's configuration, so it must not be cached.
    if (!page.headers.has('Cache-Control')) page.headers.set('Cache-Control', 'no-store')
    return page
  })
  return app
}
