import { expect, test } from 'vitest'

import { hashOf } from './hashOf.ts'
import { initialsOf } from './initialsOf.ts'

test.each([
  ['MetaMask', 'M'],
  ['Trust Wallet', 'T'],
  ['Binance Web3 Wallet', 'BW'],
  ['The Wallet', 'TW'],
  ['Base (formerly Coinbase Wallet)', 'B'],
  ['1inch', '1'],
  ['imToken', 'I'],
  ['@safe{core}', 'SC'],
  ['Book of Ethereum', 'BE'],
  ['Перо', 'П'],
  ['ßeta', 'ß'],
  ['étude', 'É'],
  ['***', ''],
  ['محفظة النور', 'ما'],
  ['𝒜lpha', '𝒜'],
  ['🦊', ''],
  ['', ''],
])('the initials of “%s” are “%s”', (name, letters) => {
  expect(initialsOf(name)).toBe(letters)
})

test('similar names are spread over more than half of the 24 hues', () => {
  const hues = Array.from({ length: 40 }, (_, index) => hashOf(`wallet ${index}`) % 24)
  expect(new Set(hues).size).toBeGreaterThan(12)
})
