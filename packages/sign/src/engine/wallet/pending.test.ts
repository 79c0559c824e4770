import { expect, test } from 'vitest'
import { findExcess } from './pending.ts'

const many = (count: number) => Array.from({ length: count }, () => 0)

test.each([
  ['99 pending requests', many(99), '{}', false],
  ['100 pending requests', many(100), '{}', true],
  ['2 MiB in total', ['x'.repeat(1_000_000)], 'x'.repeat(2_097_152 - 1_000_004), false],
  ['2 MiB and a character', ['x'.repeat(1_000_000)], 'x'.repeat(2_097_153 - 1_000_004), true],
])('attack: the limits of a topic are checked with %s', (_what, pending, text, isExcess) => {
  expect(findExcess(pending, text)).toEqual(
    isExcess ? { code: -32_005, message: 'Too many pending requests.' } : undefined,
  )
})
