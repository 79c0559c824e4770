import { expect, test } from 'vitest'

import { decimalSeparator } from './decimalSeparator.ts'

test.each([
  ['en', '.'],
  ['de', ','],
  ['de-CH', '.'],
  ['fa', '.'],
  ['not a tag', '.'],
])('in the locale “%s”, the decimal separator is “%s”', (locale, separator) => {
  expect(decimalSeparator(locale)).toBe(separator)
})
