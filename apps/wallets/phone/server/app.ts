import { Hono } from 'hono'
import type { PhoneConfig } from './config.ts'

/**
 * The phone wallet as a Hono app. Serves its document for `/` and for pairing links (`/wc?uri=…`), and
 * built files for all other paths.
 *
 * @param options.document - the built `index.html`
 */
export function createPhoneApp(options: {
  config: PhoneConfig
  document: string
  files: (request: Request) => Response | undefined
}): Hono {
  const { config, files } = options
  // Escapes `<`, so that the JSON cannot close its script element.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  const document = options.document.replace(/(id="config">)(<\/script>)/, (_, open, close) =>
    [open, json, close].join(''),
  )
  const headers = securityHeaders(config)
  const app = new Hono()
  app.get('/health', (c) => c.json({ status: 'ok' }))
  for (const path of ['/', '/wc']) app.get(path, (c) => c.html(document, 200, headers))
  app.all('*', (c) => files(c.req.raw) ?? c.text('Page not found.', 404))
  return app
}

function securityHeaders({ relayUrl, verifyUrl, chains }: PhoneConfig): Record<string, string> {
  const others = [relayUrl, verifyUrl, ...chains.map(({ rpcUrl }) => rpcUrl)]
  const origins = others.flatMap((url) => (url ? [new URL(url).origin] : []))
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'style-src-attr': ["'unsafe-inline'"],
    'font-src': ["'self'"],
    // Apps may host their icons on any origin.
    'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
    'connect-src': ["'self'", ...origins],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${[...new Set(sources)].join(' ')}`)
      .join('; '),
    'Cache-Control': 'no-store',
    // A pairing link contains a key until the page removes it from its URL.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
  }
}
