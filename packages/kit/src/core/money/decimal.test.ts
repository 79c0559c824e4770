import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  add,
  compare,
  fromNumber,
  fromUnits,
  InvalidDecimalsError,
  InvalidNumberError,
  multiply,
  roundDown,
  toUnits,
} from './decimal.ts'
import { divide, DivisionByZeroError } from './divide.ts'

const decimals = fc.integer({ min: 0, max: 77 })
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const scale = fc.integer({ min: 0, max: 30 })
const amount = fc.tuple(units, fc.integer({ min: 0, max: 30 })).map(([n, d]) => fromUnits(n, d))

describe('conversion between whole units and the smallest unit', () => {
  test('is exact in both directions, for every amount and number of decimals', () => {
    fc.assert(
      fc.property(units, decimals, (n, d) => {
        expect(toUnits(fromUnits(n, d), d)).toBe(n)
      }),
    )
  })

  test.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [1_250_000n, 6, '1.25'],
    [7n, 0, '7'],
  ])('%s with %i decimals is %s', (n, d, text) => {
    expect(fromUnits(n, d)).toBe(text)
    expect(toUnits(text, d)).toBe(n)
  })

  test('ignores zeros after the last digit of a fraction', () => {
    expect(toUnits('1.2500000000', 2)).toBe(125n)
  })

  test.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e5',
    '.5',
    '5.',
    '1,5',
    '0x10',
    '1 000',
    '１',
    'NaN',
    'Infinity',
  ])('§5.3.2 §5.13 error: “%s” is not a plain decimal number', (text) => {
    for (const run of [
      () => toUnits(text, 18),
      () => multiply(text, '1'),
      () => add('1', text),
      () => divide('1', text, 2),
      () => roundDown(text, 2),
      () => compare(text, '1'),
    ]) {
      expect(run).toThrow(InvalidNumberError)
      expect(run).toThrow('Number is not a valid decimal number')
    }
  })

  test('error: more decimals than the token has are refused, not rounded', () => {
    expect(() => toUnits('0.0000001', 6)).toThrow('It has more than 6 decimals.')
  })

  test.each([-1, 1.5, 78, Number.NaN])('§5.13 §8.12 error: %s is not a number of decimals', (d) => {
    for (const run of [
      () => toUnits('1', d),
      () => fromUnits(1n, d),
      () => divide('1', '1', d),
      () => roundDown('1', d),
    ])
      expect(run).toThrow(InvalidDecimalsError)
  })
})

describe('arithmetic', () => {
  test('a product divided by one factor is the other factor', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        fc.pre(b !== '0')
        expect(divide(multiply(a, b), b, 60)).toBe(a)
      }),
    )
  })

  test('addition is exact, and a sum is not below its parts', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(toUnits(add(a, b), 60)).toBe(toUnits(a, 60) + toUnits(b, 60))
        expect(compare(add(a, b), a)).toBeGreaterThanOrEqual(0)
      }),
    )
    expect(add()).toBe('0')
    expect(add('0.1', '0.2')).toBe('0.3')
  })

  test('§5.3.2 §5.13 products and orders are those of exact fractions, and no result has an exponent', () => {
    fc.assert(
      fc.property(units, units, scale, scale, (n, m, d, e) => {
        const [a, b] = [fromUnits(n, d), fromUnits(m, e)]
        expect(toUnits(multiply(a, b), 60)).toBe(n * m * 10n ** BigInt(60 - d - e))
        const difference = n * 10n ** BigInt(e) - m * 10n ** BigInt(d)
        expect(compare(a, b)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0)
        for (const text of [a, b, multiply(a, b), add(a, b), roundDown(a, 2)])
          expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })

  test('a quotient is the largest one of its decimals that is not above the exact one', () => {
    fc.assert(
      fc.property(units, units, scale, scale, fc.integer({ min: 0, max: 40 }), (n, m, d, e, to) => {
        fc.pre(m > 0n)
        const exact = (n * 10n ** BigInt(to + e)) / (m * 10n ** BigInt(d))
        expect(divide(fromUnits(n, d), fromUnits(m, e), to)).toBe(fromUnits(exact, to))
      }),
    )
  })

  test('rounding down never increases a number, and by less than one unit of the last decimal', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 20 }), (a, d) => {
        const rounded = roundDown(a, d)
        expect(compare(rounded, a)).toBeLessThanOrEqual(0)
        expect(compare(add(rounded, fromUnits(1n, d)), a)).toBe(1)
      }),
    )
  })

  test('a quotient is rounded down', () => {
    expect(divide('2', '3', 4)).toBe('0.6666')
    expect(divide('1', '3000000', 2)).toBe('0')
    expect(divide('7.5', '0.25', 0)).toBe('30')
  })

  test('§5.13 §8.12 error: a division by zero', () => {
    expect(() => divide('1', '0.00', 2)).toThrow(DivisionByZeroError)
  })

  test('orders numbers by value, not by text', () => {
    expect(['10', '9.5', '0.100', '0.1', '100'].toSorted(compare)).toEqual([
      '0.100',
      '0.1',
      '9.5',
      '10',
      '100',
    ])
  })
})

describe('a price in JSON', () => {
  test.each([
    [3600.5, '3600.5'],
    [1e-7, '0.0000001'],
    [1.25e-10, '0.000000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [0, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['1', undefined],
    [null, undefined],
  ])('%s is %s', (number, text) => {
    expect(fromNumber(number)).toBe(text)
  })

  test('identifies the same number', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (number) => {
        expect(Number(fromNumber(number))).toBe(number)
      }),
    )
  })
})
