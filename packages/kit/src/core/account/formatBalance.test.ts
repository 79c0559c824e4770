import { describe, expect, test } from 'vitest'

import { formatBalance } from './formatBalance.ts'

describe('formatBalance', () => {
  test.each([
    ['2.481', '2.481'],
    ['2.4819999', '2.481'],
    ['0.9999', '0.999'],
    ['1', '1'],
    ['1.5', '1.5'],
    ['1.0009', '1'],
    ['12.481900000000000000', '12.481'],
    ['1.0000000000000000', '1'],
    ['007.5', '7.5'],
    ['00000000000000007.5', '7.5'],
    ['1234567.891234', '1,234,567.891'],
    ['123456789012345.4819', '123,456,789,012,345.481'],
    ['999999999999999.9999', '999,999,999,999,999.999'],
  ])('§9.3.3/1 rounds %s down to three decimals: %s', (balance, text) => {
    expect(formatBalance(balance)).toBe(text)
  })

  test.each(['0', '0.00', '0.000000', ''])('§5.8.2 formats zero (%j) as 0.00', (balance) => {
    expect(formatBalance(balance)).toBe('0.00')
  })

  test('formats a nonzero amount below 0.001 as “<0.001”', () => {
    expect(formatBalance('0.000000000000000001')).toBe('<0.001')
    expect(formatBalance('0.0009999')).toBe('<0.001')
    // As a number, it would be rounded up to 0.001.
    expect(formatBalance('0.000999999999999999999999')).toBe('<0.001')
    expect(formatBalance('00.0001')).toBe('<0.001')
    expect(formatBalance('0.001')).toBe('0.001')
  })

  test('formats long numbers in scientific notation, rounded down', () => {
    expect(formatBalance('1157999999999999999.9')).toBe('1.157E18')
    expect(formatBalance('1000000000000000')).toBe('1E15')
    expect(formatBalance('0999999999999999')).toBe('999,999,999,999,999')
  })

  test('uses the digits and separators of the locale', () => {
    expect(formatBalance('1234.5', 'de')).toBe('1.234,5')
    expect(formatBalance('1234.5', 'fa')).toBe('۱٬۲۳۴٫۵')
    expect(formatBalance('0.0001', 'de')).toBe('<0,001')
  })

  test('error: falls back to English for a malformed locale', () => {
    expect(formatBalance('1234.5', 'not a tag')).toBe('1,234.5')
  })

  test.each(['NaN', '-1', '1 ETH', '1.', '.5', '1.5.', '1.x', '1e5'])(
    'error: formats the malformed balance “%s” as 0.00',
    (balance) => {
      expect(formatBalance(balance)).toBe('0.00')
    },
  )
})
