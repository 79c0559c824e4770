import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

/** The parts of a request from which the client's address is read. */
export type Origin = {
  /** The `X-Forwarded-For` header. */
  forwardedFor: string | undefined
  /** The address of the connection's peer. */
  remoteAddress: string | undefined
}

/**
 * The address whose limits apply to a request: an IPv4 address, or the /64 network of an IPv6 address,
 * because one host can use all addresses of its network. With n trusted proxies, it is the n-th entry from
 * the right in `X-Forwarded-For`, because the client may have written the entries to its left. Without such an
 * entry, it is the address of the connection's peer.
 */
export function clientAddress(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  { forwardedFor, remoteAddress }: Origin,
): string {
  if (trustedProxies > 0) {
    const address = forwardedFor?.split(',').at(-trustedProxies)?.trim()
    if (address) return toLimitKey(withoutPort(address))
  }
  return toLimitKey(remoteAddress ?? 'unknown')
}

/** The {@link clientAddress} of a request. */
export function requestAddress(
  config: Pick<Config, 'trustedProxies'>,
  { headers, socket }: IncomingMessage,
): string {
  const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',')
  return clientAddress(config, { forwardedFor, remoteAddress: socket.remoteAddress })
}

/** Some proxies add the client's port, which differs for each connection. */
function withoutPort(address: string): string {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(address) ?? []
  return bracketed ?? ipv4 ?? address
}

function toLimitKey(address: string): string {
  // Cheaper than `isIPv6`, for every request from an IPv4 address.
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%', 1) // drops the zone
  if (!isIPv6(plain)) return address
  // A URL has the canonical form: lower case, the longest run of zeros as `::`, no dotted part.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [first = [], last] = canonical.split('::').map((half) => half.match(/[^:]+/g) ?? [])
  const groups = last
    ? [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
    : first
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    const bytes = groups.slice(6).flatMap((group) => {
      const number = Number.parseInt(group, 16)
      return [number >> 8, number & 255]
    })
    return bytes.join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
