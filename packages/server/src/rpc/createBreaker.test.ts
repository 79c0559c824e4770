import { beforeEach, expect, test } from 'vitest'
import { createBreaker, type Breaker } from './createBreaker.ts'

let time: number
let breaker: Breaker
beforeEach(() => {
  time = 1_000_000
  breaker = createBreaker(() => time)
})

function fail(times: number, everyMs = 0) {
  for (let count = 0; count < times; count += 1) {
    breaker.failed()
    time += everyMs
  }
}

test('the fifth failure in ten seconds opens the breaker', () => {
  fail(4)
  expect(breaker.allows()).toBe(true)
  fail(1)
  expect([breaker.allows(), breaker.isOpen()]).toEqual([false, true])
})

test('fewer than five failures in ten seconds do not open the breaker', () => {
  fail(20, 2_600)
  expect(breaker.allows()).toBe(true)
  time += 10_000
  fail(1, 10_000)
  fail(4)
  expect(breaker.allows()).toBe(true)
})

test('a success resets the failures', () => {
  fail(4)
  breaker.succeeded()
  fail(4)
  expect(breaker.allows()).toBe(true)
})

test('after five seconds one trial call passes; others are rejected until it ends', () => {
  fail(5)
  time += 4_999
  expect(breaker.allows()).toBe(false)
  time += 1
  expect([breaker.allows(), breaker.allows()]).toEqual([true, false])
  breaker.ended()
  expect(breaker.allows()).toBe(true)
  breaker.succeeded()
  expect([breaker.allows(), breaker.allows(), breaker.isOpen()]).toEqual([true, true, false])
})

test('a failed trial keeps the breaker open for another five seconds', () => {
  fail(5)
  time += 5_000
  expect(breaker.allows()).toBe(true)
  breaker.failed()
  time += 4_999
  expect(breaker.allows()).toBe(false)
  time += 1
  expect(breaker.allows()).toBe(true)
})
