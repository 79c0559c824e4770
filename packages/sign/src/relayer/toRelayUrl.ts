import { toRelayUserAgent } from '@gatefold/protocol/relay'

const version = '0.1.0'

/**
 * Formats a socket's URL. The configured URL may already have a query.
 *
 * The user agent has the official format,
 * `wc-2/<client>-<version>/<environment>`. Relays recognize this client by the
 * fixed prefix `wc-2/gatefold-`, and deliver without the delay that official
 * clients need.
 *
 * @example 'wss://relay.example/?auth=…&ua=wc-2%2Fgatefold-0.1.0%2Fbrowser%3Amy.site&useOnCloseEvent=true'
 * @see docs/contracts/relay.md#connection
 */
export function toRelayUrl(options: {
  relayUrl: string
  projectId?: string | undefined
  token: string
}): string {
  const url = new URL(options.relayUrl)
  const environment = typeof document === 'undefined' ? 'node' : `browser:${location.hostname}`
  url.searchParams.set('auth', options.token)
  if (options.projectId) url.searchParams.set('projectId', options.projectId)
  url.searchParams.set('ua', toRelayUserAgent({ version, environment }))
  // Makes the relay refuse with close codes, because pages cannot read a failed handshake's HTTP status.
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
