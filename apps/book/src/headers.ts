import type { Config } from './config.ts'

/**
 * The response headers that protect the page.
 *
 * @param nonce - Random per response; scripts and style elements must carry it.
 * @param dev - Vite's development server adds style elements and a socket of its own.
 */
export function securityHeaders(
  config: Config,
  nonce: string,
  dev = false,
): Record<string, string> {
  const sockets = config.connect.map((origin) => origin.replace(/^http/, 'ws'))
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", dev ? "'unsafe-inline'" : `'nonce-${nonce}'`, ...config.fonts],
    // React writes style attributes into the document; they cannot load or run anything here.
    'style-src-attr': ["'unsafe-inline'"],
    'font-src': ["'self'", ...config.fonts],
    'img-src': ["'self'", 'data:', 'blob:', config.public.gateway],
    'media-src': ["'self'"],
    // The page that attests to wallets which page asks them.
    'frame-src': [config.public.gateway],
    // data: a token's picture may stand in its own metadata, which viem reads with fetch
    'connect-src': ["'self'", 'data:', ...config.connect, ...sockets, ...(dev ? ['ws:'] : [])],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': config.frameAncestors.length > 0 ? config.frameAncestors : ["'none'"],
  }
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${[...new Set(sources)].join(' ')}`)
      .join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    // Wallets open windows of their own and answer through `opener`.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  }
}
