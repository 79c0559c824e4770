import { expect, test } from 'vitest'

import { currencyName, formatFiat } from './formatFiat.ts'

test.each([
  ['250', 'USD', 'en', '$250.00'],
  ['1250.509', 'EUR', 'en', '€1,250.50'],
  ['9007199254740993.01', 'USD', 'en', '$9,007,199,254,740,993.01'],
  ['250', 'JPY', 'en', '¥250'],
  ['1250.5', 'EUR', 'de', '1.250,50\u00a0€'],
  ['250', 'USD', 'not a locale', '$250.00'],
])('%s %s in %s is %s', (amount, currency, locale, text) => {
  expect(formatFiat(amount, currency, locale)).toBe(text)
})

test('a short amount has no decimals if it is whole', () => {
  expect(formatFiat('7500.00', 'USD', 'en', { short: true })).toBe('$7,500')
  expect(formatFiat('7500.50', 'USD', 'en', { short: true })).toBe('$7,500.50')
})

test('currencies have names in the visitor’s language', () => {
  expect(currencyName('CHF', 'de')).toBe('Schweizer Franken')
  expect(currencyName('USD', 'not a locale')).toBe('US Dollar')
})
