import { expect, test } from 'vitest'

import { createReportLimiter } from './errorReports.ts'

test('§8.6.2 §9.4.1 allows at most five reports in any 60 seconds', () => {
  let time = 0
  const allowed = createReportLimiter(() => time)
  const countAllowed = (count: number) =>
    Array.from({ length: count }, allowed).filter(Boolean).length
  expect(countAllowed(8)).toBe(5)
  time = 59_999
  expect(countAllowed(1)).toBe(0)
  time = 60_000
  expect(countAllowed(8)).toBe(5)
})
