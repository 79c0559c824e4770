import { expect, test } from 'vitest'

import { currencyName, currencySymbol, formatMoney, moneyDecimalsOf } from './formatMoney.ts'

const text = (...parameters: Parameters<typeof formatMoney>) => formatMoney(...parameters).join('')

test('§9.3.3/2 money is rounded down to two decimals', () => {
  expect(formatMoney('12480.719', 'USD', 'en')).toEqual(['$12,480', '.71', ''])
  expect(text('0.999', 'USD', 'en')).toBe('$0.99')
  expect(text('3', 'USD', 'en')).toBe('$3.00')
  expect(text('0', 'USD', 'en')).toBe('$0.00')
})

test('money of a currency without cents, or with three decimals, has the currency’s decimals', () => {
  expect(formatMoney('1250.9', 'JPY', 'en')).toEqual(['¥1,250', '', ''])
  expect(text('1.2349', 'KWD', 'en')).toBe('KWD\u00a01.234')
  expect(['USD', 'JPY', 'KWD'].map(moneyDecimalsOf)).toEqual([2, 0, 3])
})

test('an amount above zero is never shown as zero', () => {
  expect(text('0.0099', 'USD', 'en')).toBe('<$0.01')
  expect(text('0.000000000000000000000001', 'USD', 'en')).toBe('<$0.01')
  expect(text('0.5', 'JPY', 'en')).toBe('<¥1')
})

test('keeps all digits of large amounts', () => {
  expect(text('123456789012345678.99', 'USD', 'en')).toBe('$123,456,789,012,345,678.99')
})

test('shortens billions if asked to, rounded down', () => {
  expect(text('123459999999', 'USD', 'en', { compact: true })).toBe('$123.45B')
  expect(text('999999999.99', 'USD', 'en', { compact: true })).toBe('$999,999,999.99')
})

test('a short amount has no decimals if it is whole', () => {
  expect(text('7500.00', 'USD', 'en', { short: true })).toBe('$7,500')
  expect(text('7500.50', 'USD', 'en', { short: true })).toBe('$7,500.50')
})

test('uses the order, digits and separators of the locale', () => {
  expect(formatMoney('1234.5', 'EUR', 'de')).toEqual(['1.234', ',50', '\u00A0€'])
  expect(text('1234.5', 'USD', 'not a tag')).toBe('$1,234.50')
})

test('dollars of other countries are not mistaken for US dollars', () => {
  expect(text('5', 'CAD', 'en')).toBe('CA$5.00')
  expect(currencySymbol('AUD', 'en')).toBe('A$')
  expect(currencySymbol('USD', 'en')).toBe('$')
})

test('in text from right to left, a sign stays behind its letters', () => {
  expect(text('5', 'USD', 'ar')).toBe('\u200F5.00\u00A0US$\u200E')
  expect(text('5', 'EUR', 'ar')).toBe('\u200F5.00\u00A0€')
})

test('currencies have names in the visitor’s language', () => {
  expect(currencyName('CHF', 'de')).toBe('Schweizer Franken')
  expect(currencyName('USD', 'not a locale')).toBe('US Dollar')
})
