import type { Config } from './config.ts'

/**
 * Security headers of a page.
 *
 * @param nonce - Random per response; required on scripts and style elements.
 * @param dev - Also allows Vite's style elements and WebSocket.
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
    // React renders style attributes; the other directives prevent them from loading from other hosts.
    'style-src-attr': ["'unsafe-inline'"],
    'font-src': ["'self'", ...config.fonts],
    'img-src': ["'self'", 'data:', 'blob:', config.public.gateway],
    'media-src': ["'self'"],
    // The iframes of the verify service, which attests this page's origin to wallets, and of email wallets.
    'frame-src': [config.public.gateway, ...(config.public.frame ? [config.public.frame] : [])],
    // data: because viem fetches token metadata, which may be a data URI
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
    // Wallet pop-ups respond through `window.opener`.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  }
}
