import { expect, test } from 'vitest'
import { createRateLimit } from './createRateLimit.ts'

test('a burst passes, later units are delayed, and a pause allows another burst', () => {
  let time = 1_000
  const rateLimit = createRateLimit({ perSecond: 20, burst: 60, now: () => time })
  expect(Array.from({ length: 60 }, () => rateLimit.take('a', 1))).toEqual(Array(60).fill(0))
  expect([rateLimit.take('a', 1), rateLimit.take('a', 1), rateLimit.take('b', 1)]).toEqual([
    50, 100, 0,
  ])
  time += 1_000
  expect(rateLimit.take('a', 1)).toBe(0)
  time += 60_000
  expect([rateLimit.take('a', 60), rateLimit.take('a', 2)]).toEqual([0, 100])
})

test('delays by at most 10 s, since clients repeat a request after 19.5 s', () => {
  const rateLimit = createRateLimit({ perSecond: 20, burst: 60, now: () => 0 })
  expect([rateLimit.take('a', 500), rateLimit.take('a', 500)]).toEqual([10_000, 10_000])
})
