import * as v from 'valibot'

/** The response of `GET /projects/v1/origins`. */
export const OriginsResponse = v.object({
  allowedOrigins: v.pipe(v.array(v.string()), v.readonly()),
})

export type OriginsResponse = v.InferOutput<typeof OriginsResponse>

/** Origins of local development. @see spec §5.7 */
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
 * Whether an origin matches an entry of a list: scheme, host and port are all compared.
 *
 * - `*` alone: every origin.
 * - `https://*.example.com`: one or more whole labels in place of `*`; never the bare domain,
 *   never half a label, so `https://evilexample.com` does not pass.
 * - `http://localhost:*`: any port, including the scheme's default port.
 * - a domain without scheme (`example.com`): that host over https.
 * - any other entry is a URL: its origin, without the path.
 *
 * @param origin - an `Origin` header or `location.origin`; the text `null` matches only `*`.
 * @see spec §5.7; docs/threats.md
 */
export function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  const page = split(origin)
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
 * Describes what is wrong with an entry of an origin list; `undefined` for a valid one. A wildcard may
 * replace whole labels at the front, or the port, and nothing else.
 */
export function originPatternProblem(entry: string): string | undefined {
  if (entry === '*') return undefined
  const pattern = split(entry)
  if (!pattern) return `“${entry}” is not an origin such as https://example.com`
  const labels = pattern.host.split('.')
  if (labels.some((label, index) => label.includes('*') && (label !== '*' || index > 0)))
    return `in “${entry}” the * must stand for whole labels at the front, as in https://*.example.com`
  if (labels[0] === '*' && labels.length < 2)
    return `“${entry}” allows every host; write * alone if that is meant`
  return undefined
}

const shape =
  /^(?:(https?|[a-z][a-z0-9+.-]*):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9*_.-]+)(?::(\d{1,5}|\*))?(?:\/.*)?$/

function split(text: string): { scheme: string; host: string; port: string } | undefined {
  const match = shape.exec(text.trim().toLowerCase())
  if (!match?.[2]) return undefined
  const scheme = match[1] ?? 'https'
  const usual = scheme === 'https' ? '443' : scheme === 'http' ? '80' : ''
  return { scheme, host: match[2], port: match[3] ?? usual }
}

function hostMatches(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return host === pattern
  const suffix = pattern.slice(1)
  return host.endsWith(suffix) && /^[^.]+(\.[^.]+)*$/.test(host.slice(0, -suffix.length))
}
