import { expect, it } from 'vitest'
import { isBounded } from './isBounded.ts'

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

it.each([
  ['an ordinary message', true, { type: '@w3m-app/GET_USER', payload: { chainId: 1 }, id: 'a' }],
  ['20 levels', true, nested(20)],
  ['21 levels', false, nested(21)],
  ['a text at the limit', true, 'x'.repeat(256 * 1024)],
  ['a text above the limit', false, 'x'.repeat(256 * 1024 + 1)],
  ['long keys', false, { ['x'.repeat(256 * 1024)]: 1 }],
  ['many small values', false, Array.from({ length: 300_000 }, () => 0)],
  ['a Map', false, new Map([[1, 2]])],
  ['a buffer', false, { data: new Uint8Array(4) }],
])('attack: %s is small enough: %s', (_, expected, value) => {
  expect(isBounded(value)).toBe(expected)
})

it('an object that contains itself is not bounded', () => {
  const value: Record<string, unknown> = {}
  value['self'] = value
  expect(isBounded(value)).toBe(false)
})
