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
    ['1234567.891234', '1,234,567.891'],
    ['123456789012345.4819', '123,456,789,012,345.481'],
    ['999999999999999.9999', '999,999,999,999,999.999'],
  ])('§9.3.3 behavior: %s is floored to three decimals: %s', (balance, text) => {
    expect(formatBalance(balance)).toBe(text)
  })

  test.each(['0', '0.00', '0.000000', ''])(
    '§5.8.2 behavior: zero (%j) is formatted as 0.00',
    (balance) => {
      expect(formatBalance(balance)).toBe('0.00')
    },
  )

  test('behavior: a nonzero amount below the precision is not shown as zero', () => {
    expect(formatBalance('0.000000000000000001')).toBe('<0.001')
    expect(formatBalance('0.0009999')).toBe('<0.001')
    expect(formatBalance('0.001')).toBe('0.001')
  })

  test('behavior: long numbers use scientific notation, rounded down', () => {
    expect(formatBalance('1157999999999999999.9')).toBe('1.157E18')
  })

  test('behavior: digits and separators follow the locale', () => {
    expect(formatBalance('1234.5', 'de')).toBe('1.234,5')
    expect(formatBalance('1234.5', 'fa')).toBe('۱٬۲۳۴٫۵')
    expect(formatBalance('0.0001', 'de')).toBe('<0,001')
  })

  test('error: a malformed locale or balance still returns a number', () => {
    expect(formatBalance('1234.5', 'not a tag')).toBe('1,234.5')
    expect(formatBalance('NaN')).toBe('0.00')
  })
})
