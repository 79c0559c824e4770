import { expect, test } from 'vitest'

import { isOnOffer, pairingExpiry } from './pairing.ts'

test('§4.7 §9.1.1 a URI counts as expired ten seconds before it is four minutes old', () => {
  const expiresAt = pairingExpiry({ createdAt: 1_000, goodUntil: 10_000_000 })
  expect(expiresAt).toBe(1_000 + 230_000)
  const pairing = { id: 1, status: 'ready', uri: 'wc:', expiresAt } as const
  expect(isOnOffer(pairing, 230_999)).toBe(true)
  expect(isOnOffer(pairing, 231_000)).toBe(false)
})

test('§4.7 a URI that ends sooner counts as expired ten seconds before its end', () => {
  expect(pairingExpiry({ createdAt: 0, goodUntil: 60_000 })).toBe(50_000)
})

test.each([
  ['starting', true],
  ['waiting', true],
  ['rejected', false],
  ['failed', false],
  ['expired', false],
] as const)('%s: on offer %s', (status, offered) => {
  expect(isOnOffer({ id: 1, status, expiresAt: 10 }, 5)).toBe(offered)
})
