import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  Feature,
  firstReason,
  formatWalletsQuery,
  isFeature,
  isWalletListing,
  type Reasons,
  WalletListing,
  walletTextFields,
  WalletsQuery,
} from './index.ts'

const listing = { id: 'a', name: 'A' }
const feature = { id: 'swap', isEnabled: true, config: ['1inch'] }

const values = [
  undefined,
  null,
  '',
  'text',
  7,
  Number.NaN,
  true,
  {},
  [],
  ['text'],
  ['text', 7],
  [null],
  [{}],
  [{ namespace: 'eip155', injected_id: 'isMetaMask' }],
  [{ namespace: null }],
  [{ namespace: 7 }],
  [{ injected_id: 7 }],
]

describe('a check accepts the same values as its schema', () => {
  test.each(['id', 'name', 'chains', 'order', 'injected', 'unknown', ...walletTextFields])(
    'in the field %s of a listing',
    (field) => {
      for (const value of values) {
        const changed = { ...listing, [field]: value }
        expect([value, isWalletListing(changed)]).toEqual([value, v.is(WalletListing, changed)])
      }
    },
  )

  test.each(['id', 'isEnabled', 'config', 'unknown'])('in the field %s of a feature', (field) => {
    for (const value of values) {
      const changed = { ...feature, [field]: value }
      expect([value, isFeature(changed)]).toEqual([value, v.is(Feature, changed)])
    }
  })

  test('instead of a listing or a feature', () => {
    for (const value of values) {
      expect(isWalletListing(value)).toBe(v.is(WalletListing, value))
      expect(isFeature(value)).toBe(v.is(Feature, value))
    }
  })
})

describe('firstReason()', () => {
  test('returns the first reason', () => {
    const body: Reasons = {
      status: 'FAILED',
      reasons: [
        { field: 'projectId', description: 'there is no project with this id' },
        { field: 'origin', description: 'another' },
      ],
    }
    expect(firstReason(body)).toEqual({
      field: 'projectId',
      description: 'there is no project with this id',
    })
    expect(firstReason({ reasons: [{ description: 'no field' }] })).toEqual({
      field: undefined,
      description: 'no field',
    })
    const reason = { field: 'name', description: 'registered', code: 'name_taken' }
    expect(firstReason({ reasons: [reason] })).toEqual(reason)
    const { code: _, ...rest } = reason
    expect(firstReason({ reasons: [{ ...reason, code: 7 }] })).toStrictEqual(rest)
  })

  test.each(values.map((value) => [value]))('returns undefined for %j', (value) => {
    expect(firstReason(value)).toBeUndefined()
    expect(firstReason({ reasons: value })).toBeUndefined()
  })
})

test('parsing a formatted query returns the same query without its empty values', () => {
  const query: WalletsQuery = {
    page: 2,
    entries: 40,
    search: 'rain & bow',
    badge_type: 'certified',
    include: ['x', 'y'],
    exclude: [],
    chains: ['eip155:1', 'eip155:10'],
    names: undefined,
  }
  const text = new URLSearchParams(formatWalletsQuery(query)).toString()
  const read = v.parse(WalletsQuery, Object.fromEntries(new URLSearchParams(text)))
  const { exclude: _, names: __, ...rest } = query
  expect(read).toEqual(rest)
})
