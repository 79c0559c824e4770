import { expect, test } from 'vitest'

import { numberFormat } from './numberFormat.ts'

test.each([
  ['de', '1.234,5'],
  ['en', '1,234.5'],
  ['not a tag', '1,234.5'],
])('in the locale “%s”, a number is shown as %s', (locale, text) => {
  expect(numberFormat(locale, { minimumFractionDigits: 1 }).format(1234.5)).toBe(text)
})
