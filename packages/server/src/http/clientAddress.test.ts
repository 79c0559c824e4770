import { expect, test } from 'vitest'
import { clientAddress } from './clientAddress.ts'

const direct = (remoteAddress: string) =>
  clientAddress({ trustedProxies: 0 }, { forwardedFor: undefined, remoteAddress })
const forwarded = (forwardedFor: string) =>
  clientAddress({ trustedProxies: 1 }, { forwardedFor, remoteAddress: '10.0.0.1' })

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['unknown', 'unknown'],
])('attack: requests from %s count against the limits of %s', (address, expected) => {
  expect(direct(address)).toBe(expected)
  expect(forwarded(`evil, ${address}`)).toBe(expected)
})

test.each([
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
])('the port in the forwarded address %s is ignored', (address, expected) => {
  expect(forwarded(address)).toBe(expected)
})
