import { expect, test } from 'vitest'

import { findLabelProblem, toChainId, toCoinType } from './nameRules.ts'

test.each([
  ['mira', undefined],
  ['Mira-47', undefined],
  ['a'.repeat(63), undefined],
  ['', 'short'],
  ['abc', 'short'],
  // The fourth character may follow.
  ['ab-', 'short'],
  ['mira-', 'hyphens'],
  ['-mira', 'hyphens'],
  ['mi--ra', 'hyphens'],
  ['xn--mira', 'hyphens'],
  ['a'.repeat(64), 'long'],
  ['mi_ra', 'characters'],
  ['mi ra', 'characters'],
  ['m\u0456ra', 'characters'],
  // The Kelvin sign, whose lower case is k.
  ['mar\u212A', 'characters'],
  ['0xdeadBEEF', 'address'],
  ['0xdeadbees', undefined],
  ['a0xdead', undefined],
])('§5.4.1 §9.6.1 the label %j: %s', (label, problem) => {
  expect(findLabelProblem(label)).toBe(problem)
})

test('§5.4.2 a coin type is the chain id with the top bit set', () => {
  expect(toCoinType(1)).toBe(0x8000_0001)
  expect(toCoinType(31_337)).toBe(2_147_514_985)
  expect(toChainId(toCoinType(2_147_483_647))).toBe(2_147_483_647)
  expect(toChainId(60)).toBe(1)
  expect([0x8000_0000, 0x1_0000_0000, 61].map(toChainId)).toEqual([undefined, undefined, undefined])
})

test.each([0, -1, 1.5, Number.NaN, 2_147_483_648])(
  'error: §5.4.2 §8.4/8 the chain id %d',
  (chainId) => {
    expect(() => toCoinType(chainId)).toThrow('Invalid chainId')
    expect(() => toCoinType(chainId)).toThrow(
      expect.objectContaining({ code: 'names.invalid_chain_id' }),
    )
  },
)
