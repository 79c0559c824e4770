import { expect, test } from 'vitest'

import { uriExpiry } from './uriExpiry.ts'

test('§4.7 §9.1.1/1 §9.1.1/2 a URI counts as expired ten seconds before it is four minutes old', () => {
  expect(uriExpiry({ createdAt: 1_000, expiresAt: 10_000_000 })).toBe(1_000 + 230_000)
})

test('§4.7 a URI with a shorter lifetime counts as expired ten seconds before its expiry', () => {
  expect(uriExpiry({ createdAt: 0, expiresAt: 60_000 })).toBe(50_000)
})
