import { expect, test } from 'vitest'
import { formatCompactBalance, formatAmount, shorten } from './format.ts'

test.each([
  [0n, '0.00 ETH'],
  [1n, '<0.001 ETH'],
  [2_481_999_000_000_000_000n, '2.481 ETH'],
  [999_999n * 10n ** 18n + 10n ** 17n, '999,999.1 ETH'],
  [1_239_999n * 10n ** 18n, '1.23M ETH'],
])('formats a balance of %i wei as %s, never rounded up', (atomic, shown) => {
  expect(formatCompactBalance({ atomic, decimals: 18, symbol: 'ETH' })).toBe(shown)
})

test('formats an amount without rounding', () => {
  const sum = { atomic: 100_000_000_000_001n, decimals: 18, symbol: 'ETH' }
  expect(formatAmount(sum)).toBe('0.000100000000000001 ETH')
})

test('shortens only long hex values', () => {
  expect(shorten('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf39F…2266')
  expect(shorten('0x1234')).toBe('0x1234')
})
