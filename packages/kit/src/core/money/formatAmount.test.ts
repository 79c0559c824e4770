import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { compare, fromUnits } from './decimal.ts'
import { formatAmount } from './formatAmount.ts'

test('keeps every digit', () => {
  expect(formatAmount('1234567890123456789.000000000000000001', 'en')).toBe(
    '1,234,567,890,123,456,789.000000000000000001',
  )
})

test('rounds up to a number of digits, so that a fee is never shown as less than it is', () => {
  expect(formatAmount('0.000801', 'en', { significantDigits: 2 })).toBe('0.00081')
  expect(formatAmount('0.0008', 'en', { significantDigits: 2 })).toBe('0.0008')
})

test('uses the separators of the locale, and English for a malformed one', () => {
  expect(formatAmount('1234.5', 'de')).toBe('1.234,5')
  expect(formatAmount('1234.5', 'not a tag')).toBe('1,234.5')
})

test.each([
  ['3', '3'],
  ['1999', '1.9K'],
  ['12345678901', '12.3B'],
  [`9${'0'.repeat(40)}`, '9E40'],
])('a compact %s is %s', (amount, text) => {
  expect(formatAmount(amount, 'en', { compact: true })).toBe(text)
})

test('shows every amount exactly, and a fee not below its amount', () => {
  const amounts = fc.tuple(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.integer({ min: 0, max: 77 }),
  )
  const plain = (text: string) => text.replaceAll(',', '')
  fc.assert(
    fc.property(amounts, ([units, decimals]) => {
      const amount = fromUnits(units, decimals)
      expect(plain(formatAmount(amount, 'en'))).toBe(amount)
      const fee = plain(formatAmount(amount, 'en', { significantDigits: 2 }))
      expect(compare(fee, amount)).toBeGreaterThanOrEqual(0)
    }),
  )
})
