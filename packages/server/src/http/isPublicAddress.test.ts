import { expect, test } from 'vitest'
import { isPublicAddress } from './isPublicAddress.ts'

test.each(['1.1.1.1', '9.255.255.255', '172.32.0.1', '2606:4700:4700::1111', '2001:4860::8888'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test.each([
  ['unspecified', '0.0.0.0'],
  ['private', '10.1.2.3'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['shared', '100.64.0.1'],
  ['loopback', '127.255.0.1'],
  ['link-local', '169.254.169.254'],
  ['documentation', '203.0.113.7'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-mapped', '::ffff:8.8.8.8'],
  ['IPv4-mapped', '::ffff:7f00:1'],
  ['IPv4-compatible', '::7f00:1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['Teredo', '2001:0:7f00:1::'],
  ['documentation', '2001:db8::1'],
  ['6to4', '2002:7f00:1::'],
  ['unique local', 'fd00::1'],
  ['link-local', 'fe80::1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['zoned', '2606:4700::1%eth0'],
  ['no', 'localhost'],
])('a %s address is not public: %s', (_kind, address) =>
  expect(isPublicAddress(address)).toBe(false),
)
