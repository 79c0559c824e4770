import { expect, test } from 'vitest'

import { isGatewayChain } from './gatewayChains.ts'

test.each([
  ['eip155:1', true],
  ['eip155:1313161555', true],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', true],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', true],
  ['solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', true],
  ['near:mainnet', true],
  ['bip122:000000000019d6689c085ae165831e93', true],
  ['bip122:000000000933ea01ad0ee984209779ba', true],
  ['eip155:31337', false],
  ['eip155:11', false],
  ['eip155:13131615550', false],
  ['solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K', false],
  ['bip122:00000000001', false],
])('§7.12.2 the gateway serves %s by default: %s', (id, expected) => {
  expect(isGatewayChain(id)).toBe(expected)
})
