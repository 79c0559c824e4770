/**
 * Whether an audience names one of a relay's own URLs, whatever the spelling: with and without a
 * trailing slash, `ws` or `wss` (TLS often ends before the relay), with or without a usual port.
 *
 * @param audience - a URL such as `wss://relay.example`.
 * @param own - URLs, or hosts as a `Host` header has them.
 * @see docs/contracts/relay.md#token
 */
export function isRelayAudience(audience: string, own: readonly string[]): boolean {
  const place = toPlace(audience)
  return place !== undefined && own.some((url) => toPlace(url) === place)
}

/**
 * Whether an `Origin` names a relay itself, as it does where it comes from React Native: its sockets
 * name the host they call, with `http` or `ws`.
 *
 * @param own - as for {@link isRelayAudience}.
 * @see https://github.com/facebook/react-native `WebSocketModule.getDefaultOrigin`
 */
export function isRelayOrigin(origin: string, own: readonly string[]): boolean {
  const host = toHost(origin)
  return host !== undefined && own.some((url) => toHost(url) === host)
}

function toHost(url: string): string | undefined {
  return toPlace(url)?.split('/')[0]
}

/** Host, port and path; the scheme, usual ports and a query do not count. */
function toPlace(url: string): string | undefined {
  const withScheme = /^(wss?|https?):\/\//i.test(url) ? url : `wss://${url}`
  if (!URL.canParse(withScheme)) return undefined
  const { hostname, port, pathname, username, password } = new URL(withScheme)
  if (hostname === '' || username !== '' || password !== '') return undefined
  const usual = port === '80' || port === '443' || port === ''
  return `${hostname}${usual ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}`
}
