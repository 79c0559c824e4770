import { expect, test } from 'vitest'
import { createRateLimit, maxOwedMs } from './createRateLimit.ts'

test('a burst passes without delay, later units are delayed, and a pause allows another burst', () => {
  let time = 1_000
  const rateLimit = createRateLimit({ perSecond: 20, burst: 60, now: () => time })
  const take = (key: string, cost: number) => rateLimit.take(key, cost, maxOwedMs)
  expect(Array.from({ length: 60 }, () => take('a', 1))).toEqual(Array(60).fill(0))
  expect([take('a', 1), take('a', 1), take('b', 1)]).toEqual([50, 100, 0])
  time += 1_000
  expect(take('a', 1)).toBe(0)
  time += 60_000
  expect([take('a', 60), take('a', 2)]).toEqual([0, 100])
})

test('attack: a key with a debt of 20 s is refused, and does not exceed its rate', () => {
  let time = 0
  const rateLimit = createRateLimit({ perSecond: 20, burst: 60, now: () => time })
  const take = (cost: number) => rateLimit.take('a', cost, maxOwedMs)
  expect([take(500), take(1), take(1)]).toEqual([22_000, Infinity, Infinity])
  let granted = 0
  for (; time < 60_000; time += 10) if (take(1) < Infinity) granted += 1
  expect(granted).toBeLessThanOrEqual(60 * 20)
  expect(granted).toBeGreaterThan(55 * 20)
})

test('attack: a key is refused from a debt of exactly 20 s', () => {
  const rateLimit = createRateLimit({ perSecond: 20, burst: 60, now: () => 0 })
  const take = (cost: number) => rateLimit.take('a', cost, maxOwedMs)
  expect([take(459), take(1), take(1)]).toEqual([19_950, 20_000, Infinity])
})
