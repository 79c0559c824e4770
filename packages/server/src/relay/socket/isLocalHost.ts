import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Whether a `Host` header names this machine or a private network: the addresses of RFC 1122, 1918, 3927,
 * 4193 and 4291, `localhost` (RFC 6761) and `.local` (RFC 6762). Such hosts do not identify a relay globally.
 */
export function isLocalHost(host: string): boolean {
  if (!URL.canParse(`ws://${host}`)) return false
  const hostname = new URL(`ws://${host}`).hostname.replace(/^\[|\]$/g, '')
  if (isIP(hostname) > 0) return localNetworks().check(hostname, isIPv6(hostname) ? 'ipv6' : 'ipv4')
  return /^(.+\.)?(localhost|local)$/.test(hostname)
}

function localNetworks() {
  const networks = new BlockList()
  networks.addSubnet('127.0.0.0', 8)
  networks.addSubnet('10.0.0.0', 8)
  networks.addSubnet('172.16.0.0', 12)
  networks.addSubnet('192.168.0.0', 16)
  networks.addSubnet('169.254.0.0', 16)
  networks.addSubnet('::1', 128, 'ipv6')
  networks.addSubnet('fc00::', 7, 'ipv6')
  networks.addSubnet('fe80::', 10, 'ipv6')
  return networks
}
