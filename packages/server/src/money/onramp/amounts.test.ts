import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCents, toCents, toDecimal, toMoney } from './amounts.ts'

/** Digits before and after the point, as Coinbase sends them. */
const text = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }), fc.stringMatching(/^\d{0,30}$/))
  .map(([units, decimals]) => (decimals === '' ? `${units}` : `${units}.${decimals}`))
const number = fc.double({ min: 0, max: 1e300, noNaN: true })

/** In units of 10^-30, exactly. */
function toUnits(decimal: string): bigint {
  const [units = '', decimals = ''] = decimal.split('.')
  return BigInt(units + decimals.padEnd(30, '0'))
}

test('cents are the same after a conversion to text and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (cents) => {
      expect(toCents(fromCents(cents))).toBe(cents)
    }),
  )
})

test('a decimal number is rounded up to cents, by less than one', () => {
  const cent = 10n ** 28n
  fc.assert(
    fc.property(text, (value) => {
      const rounded = toUnits(toMoney(value))
      expect(rounded % cent).toBe(0n)
      expect(rounded >= toUnits(value) && rounded - toUnits(value) < cent).toBe(true)
    }),
  )
})

test.each([
  ['0.07', '0.07'],
  [0.07, '0.07'],
  [1.1, '1.10'],
  [0.29, '0.29'],
  ['0.070000000000000000000000000001', '0.08'],
  ['123456789012345678901234567890.01', '123456789012345678901234567890.01'],
  [1e-7, '0.01'],
  [1e21, '1000000000000000000000.00'],
  [0, '0.00'],
])('%s in cents is %s', (value, expected) => {
  expect(toMoney(value)).toBe(expected)
})

test('a number becomes text without an exponent that identifies it', () => {
  fc.assert(
    fc.property(number, (value) => {
      expect(toDecimal(value)).toMatch(/^\d+(\.\d+)?$/)
      expect(Number(toDecimal(value))).toBe(value)
    }),
  )
})

test('decimal text is not changed', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(toDecimal(value)).toBe(value)
    }),
  )
})
