import { BlockList, isIP } from 'node:net'

/** Blocks of IPv4 that are not on the public Internet. @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, where clouds serve their metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast and reserved
] as const

/** The IPv6 addresses that IANA has assigned to the public Internet. Mapped IPv4, NAT64 and ULA are outside. */
const globalIpv6 = ['2000::', 3] as const

/** Blocks inside of `globalIpv6`. @see https://www.iana.org/assignments/iana-ipv6-special-registry */
const specialIpv6 = [
  ['2001::', 23], // Teredo and others
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4, which contains an IPv4 address
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, prefix] of specialIpv4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of specialIpv6) special.addSubnet(network, prefix, 'ipv6')
const global = new BlockList()
global.addSubnet(...globalIpv6, 'ipv6')

/**
 * Whether an IP address is on the public Internet. False for private, loopback, link-local, shared, multicast and
 * reserved addresses, for IPv6 addresses that contain an IPv4 address, and for text that is not an IP address.
 *
 * @see docs/threats.md#requests-to-other-hosts
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  // A zone such as `%eth0` exists only for link-local addresses.
  if (version !== 6 || address.includes('%')) return false
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
