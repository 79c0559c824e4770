import { expect, test } from 'vitest'

import { formatChange, formatPercent, formatRate } from './formatRate.ts'

test.each([
  ['0.000363891', '0.0003638'],
  ['0.99999', '0.9999'],
  ['1', '1'],
  ['1.00009', '1'],
  ['1234.56789', '1,234.5678'],
  ['123456789012345678.5', '123,456,789,012,345,678.5'],
])('the rate %s is shown as %s', (amount, text) => {
  expect(formatRate(amount, 'en')).toBe(text)
})

test('a percentage has at most two decimals', () => {
  expect(formatPercent(12.5, 'en')).toBe('12.5%')
  expect(formatPercent(0.3049, 'de')).toBe('0,3\u00a0%')
})

test.each([
  [1.8, '+1.8%', '1.8%'],
  [-12.344, '-12.34%', '12.34%'],
  [0, '0%', '0%'],
  [-0.001, '0%', '0%'],
])('a change of %d percent is shown as %s, and without its sign as %s', (percent, text, bare) => {
  expect(formatChange(percent, 'en')).toBe(text)
  expect(formatChange(percent, 'en', 'never')).toBe(bare)
})
