import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTokenBuckets, type TokenBuckets } from './createTokenBuckets.ts'

let time: number
let buckets: TokenBuckets
beforeEach(() => {
  time = 0
  buckets = createTokenBuckets({ perSecond: 2, burst: 4, now: () => time })
})

test('a full bucket grants its burst, then one token each half second', () => {
  expect(Array.from({ length: 5 }, () => buckets.take('a'))).toEqual([0, 0, 0, 0, 500])
  time += 500
  expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 500])
})

test('while the table has room, each key has a separate bucket', () => {
  buckets.take('a', 4)
  expect([buckets.take('a'), buckets.take('b')]).toEqual([500, 0])
})

test('a clock that is set back does not empty a bucket', () => {
  time = 60_000
  expect(buckets.take('a', 3)).toBe(0)
  time = 0
  expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 500])
  time = 500
  expect(buckets.take('a')).toBe(0)
})

test('a refused request takes no tokens, and the time to wait is returned', () => {
  buckets.take('a', 3)
  const waitMs = buckets.take('a', 3)
  expect([waitMs, buckets.take('a', 1)]).toEqual([1_000, 0])
})

test('a request that costs more than the burst takes the full bucket', () => {
  expect(buckets.take('a', 100)).toBe(0)
  expect(buckets.take('a', 100)).toBe(2_000)
})

test('a retry after the returned wait succeeds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 3_000 }))),
      (steps) => {
        const own = createTokenBuckets({ perSecond: 3, burst: 5, now: () => time })
        for (const [cost, pause] of steps) {
          time += pause
          const waitMs = own.take('a', cost)
          if (waitMs === 0) continue
          time += waitMs
          expect(own.take('a', cost)).toBe(0)
        }
      },
    ),
  )
})

test('work that is already done puts a bucket into debt', () => {
  const own = createTokenBuckets({ perSecond: 2, burst: 4, now: () => time })
  own.owe('a', 10)
  // It has 4 - 10 tokens, and needs one.
  expect([own.take('a'), own.take('b')]).toEqual([3_500, 0])
  time += 3_500
  expect(own.take('a')).toBe(0)
})

describe('more keys than the table holds', () => {
  const create = () => createTokenBuckets({ perSecond: 2, burst: 4, now: () => time, maxKeys: 100 })
  const churn = (own: TokenBuckets, round: number) =>
    Array.from({ length: 5_000 }, (_, index) => own.take(`churn ${round} ${index}`))

  test('attack: do not refill the bucket of any of them', () => {
    const own = create()
    own.take('a', 4)
    for (let round = 0; round < 10; round += 1) {
      churn(own, round)
      expect(own.take('a', 4)).toBeGreaterThan(0)
      time += 100
    }
  })

  test('attack: do not clear the debt of a bucket', () => {
    const own = create()
    own.take('a', 1)
    own.setUsed('a', 40)
    churn(own, 0)
    // An empty bucket is full again after 2 s, this one after 20 s.
    time += 19_500
    churn(own, 1)
    expect(own.take('a', 4)).toBe(500)
  })

  test('attack: share a limit', () => {
    const own = create()
    const granted = [0, 1].flatMap((round) => churn(own, round)).filter((waitMs) => waitMs === 0)
    // 100 keys with separate buckets, then 1,024 shared buckets with four tokens each.
    expect(granted.length).toBeLessThanOrEqual(100 + 1_024 * 4)
  })

  test('leave the table once their buckets are full again', () => {
    const own = create()
    churn(own, 0)
    time += 2_000
    expect(own.take('a', 4)).toBe(0)
    churn(own, 1)
    expect(own.take('a', 4)).toBeGreaterThan(0)
  })
})
