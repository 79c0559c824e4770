import { expect, test } from 'vitest'

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
