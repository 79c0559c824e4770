import { expect, test } from 'vitest'

import { toPlainNumber } from './toPlainNumber.ts'

test.each([
  ['0123456789', '0123456789'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['０１２３４５６７８９', '0123456789'],
  ['0,25', '0.25'],
  ['٠٫٢٥', '0.25'],
  ['1 234.5', '1234.5'],
  ['1.2,3', '1.2.3'],
  ['1٬234', '1٬234'],
  ['१x-', '१x-'],
])('the typed number “%s” is “%s”', (text, number) => {
  expect(toPlainNumber(text)).toBe(number)
})
