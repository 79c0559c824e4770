import { expect, test } from 'vitest'

import { formatMoney } from './formatMoney.ts'

const text = (...parameters: Parameters<typeof formatMoney>) => formatMoney(...parameters).join('')

test('§9.3.3/2 money is rounded down to two decimals', () => {
  expect(formatMoney('12480.719', 'en')).toEqual(['$12,480', '.71', ''])
  expect(text('0.999', 'en')).toBe('$0.99')
  expect(text('3', 'en')).toBe('$3.00')
  expect(text('0', 'en')).toBe('$0.00')
})

test('an amount above zero is never shown as zero', () => {
  expect(text('0.0099', 'en')).toBe('<$0.01')
  expect(text('0.000000000000000000000001', 'en')).toBe('<$0.01')
})

test('keeps all digits of large amounts', () => {
  expect(text('123456789012345678.99', 'en')).toBe('$123,456,789,012,345,678.99')
})

test('shortens billions if asked to, rounded down', () => {
  expect(text('123459999999', 'en', { compact: true })).toBe('$123.45B')
  expect(text('999999999.99', 'en', { compact: true })).toBe('$999,999,999.99')
})

test('uses the order, digits and separators of the locale', () => {
  expect(formatMoney('1234.5', 'de')).toEqual(['1.234', ',50', '\u00A0$'])
  expect(text('1234.5', 'not a tag')).toBe('$1,234.50')
})
