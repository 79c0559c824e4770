/**
 * Whether an audience names one of a relay's URLs. Ignores a trailing slash, default ports, and `ws` or
 * `wss`, since TLS often ends before the relay.
 *
 * @param audience - a URL such as `wss://relay.example`.
 * @param own - URLs, or hosts as a `Host` header has them.
 * @see docs/contracts/relay.md#token
 */
export function isRelayAudience(audience: string, own: readonly string[]): boolean {
  const normalized = normalize(audience)
  return normalized !== undefined && own.some((url) => normalize(url) === normalized)
}

/**
 * Whether an `Origin` names the relay, as in React Native, whose sockets send the host they connect to,
 * with `http` or `ws`.
 *
 * @param own - as for {@link isRelayAudience}.
 * @see https://github.com/facebook/react-native `WebSocketModule.getDefaultOrigin`
 */
export function isRelayOrigin(origin: string, own: readonly string[]): boolean {
  const host = toHost(origin)
  return host !== undefined && own.some((url) => toHost(url) === host)
}

function toHost(url: string): string | undefined {
  return normalize(url)?.split('/')[0]
}

/** Host, port and path, without scheme, default ports and query. */
function normalize(url: string): string | undefined {
  const withScheme = /^(wss?|https?):\/\//i.test(url) ? url : `wss://${url}`
  if (!URL.canParse(withScheme)) return undefined
  const { hostname, port, pathname, username, password } = new URL(withScheme)
  if (hostname === '' || username !== '' || password !== '') return undefined
  const usual = port === '80' || port === '443' || port === ''
  return `${hostname}${usual ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}`
}
