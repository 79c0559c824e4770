import { expect, it } from 'vitest'
import { isBounded } from './isBounded.ts'

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

it.each([
  ['an ordinary message', { type: '@w3m-app/GET_USER', payload: { chainId: 1 }, id: 'a' }, true],
  ['20 levels', nested(20), true],
  ['21 levels', nested(21), false],
  ['a text at the limit', 'x'.repeat(256 * 1024), true],
  ['a text above it', 'x'.repeat(256 * 1024 + 1), false],
  ['long keys', { ['x'.repeat(256 * 1024)]: 1 }, false],
  ['many small values', Array.from({ length: 300_000 }, () => 0), false],
  ['a Map', new Map([[1, 2]]), false],
  ['a buffer', { data: new Uint8Array(4) }, false],
])('attack: %s is small enough: %s', (_, value, expected) => {
  expect(isBounded(value)).toBe(expected)
})

it('an object that contains itself is not bounded', () => {
  const value: Record<string, unknown> = {}
  value['self'] = value
  expect(isBounded(value)).toBe(false)
})
