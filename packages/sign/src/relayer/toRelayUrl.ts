import { toRelayUserAgent } from '@gatefold/protocol/relay'

const version = '0.1.0'

/**
 * The URL of a socket. The configured URL may already have a query.
 *
 * The user agent has the official format, `wc-2/<client>-<version>/<environment>`. Relays recognise this
 * client by the prefix `wc-2/gatefold-`, which does not change: they deliver to it without the delay
 * that official clients need.
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
  // Requests refusals as close codes: pages cannot read the HTTP status of a failed handshake.
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
