/** The response to `GET /projects/v1/origins`. */
export type OriginsResponse = { allowedOrigins: readonly string[] }

/** Origins used in local development. @see spec §5.7 */
export const localOrigins = [
  'http://localhost:*',
  'https://localhost:*',
  'http://127.0.0.1:*',
  'https://127.0.0.1:*',
] as const

/** Origins that a project may allow in addition to its own list. @see spec §5.7; docs/operators.md#projects */
export const defaultOrigins = [
  ...localOrigins,
  'https://*.pages.dev',
  'https://*.vercel.app',
  'https://*.ngrok-free.app',
  'https://secure-mobile.walletconnect.com',
  'https://secure-mobile.walletconnect.org',
] as const

/**
 * Whether an origin matches an entry in a list. Scheme, host and port must all match.
 *
 * - `*` matches every origin.
 * - `https://*.example.com` matches one or more whole labels in place of `*`. It matches neither
 *   `https://example.com` nor `https://evilexample.com`.
 * - `http://localhost:*` matches any port, including the scheme's default port.
 * - `example.com`, without a scheme, matches that host over https.
 * - Any other entry is a URL and matches its origin; the path is ignored.
 *
 * @param origin - an `Origin` header or `location.origin`. The opaque origin `null`, which every sandboxed page
 *   has, matches only `*`.
 * @see spec §5.7; docs/threats.md
 */
export function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  // An origin has a scheme; only an entry may omit it.
  const page = origin.includes('://') ? split(origin) : undefined
  return allowed.some((entry) => {
    if (entry === '*') return true
    const pattern = split(entry)
    if (!page || !pattern) return false
    return (
      page.scheme === pattern.scheme &&
      (pattern.port === '*' || page.port === pattern.port) &&
      hostMatches(page.host, pattern.host)
    )
  })
}

/**
 * Describes the problem with a new entry for an origin list, and what to write instead. Stricter than
 * {@link isOriginAllowed}: an entry needs a scheme and has no path, so that a list shows exactly what it
 * allows. A wildcard may only replace the first labels of the host, or the port.
 *
 * @returns `undefined` for a valid entry.
 */
export function originPatternProblem(entry: string): string | undefined {
  if (entry === '*') return undefined
  const pattern = split(entry)
  if (!pattern || Number(pattern.port) > 65_535)
    return `“${entry}” is not an origin; expected a scheme, a host and an optional port, such as https://example.com`
  const [, scheme, rest = ''] = /^(?:([^:/]+):\/\/)?(.*)$/.exec(entry) ?? []
  const path = rest.replace(/^[^/]*/, '')
  const faults = [
    ...(scheme === undefined ? ['has no scheme'] : []),
    ...(path === '' ? [] : [`has a path (${path})`]),
  ]
  if (faults.length > 0) {
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(pattern.host)
    const host = rest.slice(0, rest.length - path.length)
    const expected = `${scheme ?? (isLocal ? 'http' : 'https')}://${host}`
    return `“${entry}” ${faults.join(' and ')}; an origin is a scheme, a host and an optional port: ${expected}`
  }
  const labels = pattern.host.split('.')
  if (labels.some((label, index) => label.includes('*') && (label !== '*' || index > 0)))
    return `in “${entry}”, * must replace whole labels at the start of the host, as in https://*.example.com`
  if (labels[0] === '*' && labels.length < 2)
    return `“${entry}” matches no host; to allow every origin, use * alone`
  return undefined
}

const shape =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9*_.-]+)(?::(\d{1,5}|\*))?(?:\/.*)?$/

function split(text: string): { scheme: string; host: string; port: string } | undefined {
  const match = shape.exec(text.trim().toLowerCase())
  if (!match?.[2]) return undefined
  const scheme = match[1] ?? 'https'
  const defaultPort = scheme === 'https' ? '443' : scheme === 'http' ? '80' : ''
  return { scheme, host: match[2], port: match[3] ?? defaultPort }
}

function hostMatches(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return host === pattern
  const suffix = pattern.slice(1)
  return host.endsWith(suffix) && /^[^.]+(\.[^.]+)*$/.test(host.slice(0, -suffix.length))
}
