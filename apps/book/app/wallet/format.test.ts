import { expect, test } from 'vitest'
import { formatAmount, shorten } from './format.ts'

test.each([
  [0n, '0'],
  [1n, '<0.0001'],
  [100_000_000_000_000n, '0.0001'],
  [500_000_000_000_000_000n, '0.5'],
  [2_481_399_000_000_000_000n, '2.481'],
  [10_000n * 10n ** 18n, '10,000'],
  [1_239_999n * 10n ** 18n, '1.23M'],
  [999_999n * 10n ** 18n + 10n ** 17n, '999,999.1'],
  [1_234_567_890n * 10n ** 18n + 999_999_999_999_999_999n, '1.23B'],
])('%i wei is shown as %s, never rounded up', (wei, shown) => {
  expect(formatAmount(wei, 18)).toBe(shown)
})

test('a coin without decimals has no point', () => {
  expect(formatAmount(1200n, 0)).toBe('1,200')
})

test('long words keep both ends, short ones stay whole', () => {
  expect(shorten('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf39F…2266')
  expect(shorten('0x1234')).toBe('0x1234')
})
