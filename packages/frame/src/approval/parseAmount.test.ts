import { expect, it } from 'vitest'
import { parseAmount } from './parseAmount.ts'

it.each([
  ['25', 'en', 25_000_000n],
  [' 25.5 ', 'en', 25_500_000n],
  ['0.000001', 'en', 1n],
  ['.5', 'en', 500_000n],
  ['5.', 'en', 5_000_000n],
  ['1.50000000', 'en', 1_500_000n],
  ['25,5', 'de', 25_500_000n],
  ['25.5', 'ar', 25_500_000n],
  ['', 'en', 'number'],
  ['.', 'en', 'number'],
  ['-1', 'en', 'number'],
  ['1e9', 'en', 'number'],
  ['1,000', 'en', 'number'],
  ['1.000', 'de', 'number'],
  ['1.2.3', 'en', 'number'],
  ['0', 'en', 'zero'],
  ['0.0', 'en', 'zero'],
  ['0.0000001', 'en', 'decimals'],
  [String(2n ** 127n), 'en', 'unlimited'],
] as const)('the amount “%s” (%s) is %s', (text, tag, result) => {
  expect(parseAmount(text, 6, { tag })).toBe(result)
})
