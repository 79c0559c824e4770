/**
 * Whether an audience is one of a relay's URLs. Ignores the query, a trailing slash and default ports. Also ignores
 * the scheme, because a proxy often terminates TLS for the relay.
 *
 * @param audience - a URL such as `wss://relay.example`.
 * @param own - the relay's URLs, or hosts in the form of a `Host` header.
 * @see docs/contracts/relay.md#token
 */
export function isRelayAudience(audience: string, own: readonly string[]): boolean {
  const normalized = normalize(audience)
  return normalized !== undefined && own.some((url) => normalize(url) === normalized)
}

/**
 * Whether an `Origin` header contains the relay's own host. React Native sends the host to which a socket
 * connects as the origin. The scheme is ignored.
 *
 * @param own - as for {@link isRelayAudience}.
 * @see https://github.com/facebook/react-native `WebSocketModule.getDefaultOrigin`
 */
export function isRelayOrigin(origin: string, own: readonly string[]): boolean {
  const host = toHost(origin)
  return host !== undefined && own.some((url) => toHost(url) === host)
}

function toHost(url: string): string | undefined {
  return parse(url)?.host
}

/** Reduces a URL or host to its host, port and path, without trailing slashes. */
function normalize(url: string): string | undefined {
  const parsed = parse(url)
  if (!parsed) return undefined
  const { host, path } = parsed
  // A regular expression for trailing slashes takes quadratic time if others precede them.
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return host + path.slice(0, end)
}

/** Reads a URL or a host. The host has no default port. */
function parse(url: string): { host: string; path: string } | undefined {
  const withScheme = /^(wss?|https?):\/\//i.test(url) ? url : `wss://${url}`
  if (!URL.canParse(withScheme)) return undefined
  const { hostname, port, pathname, username, password } = new URL(withScheme)
  if (username !== '' || password !== '') return undefined
  const isDefaultPort = port === '80' || port === '443' || port === ''
  return { host: isDefaultPort ? hostname : `${hostname}:${port}`, path: pathname }
}
