import { toRelayUserAgent } from '@gatefold/protocol/relay'

const version = '0.1.0'

/**
 * Where a socket goes. The configured URL may have a query of its own.
 *
 * @see contracts/relay.md 1
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
  // A refusal is told by a close frame: pages cannot read the status of a failed handshake.
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
