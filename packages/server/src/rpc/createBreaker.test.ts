import { beforeEach, expect, test } from 'vitest'
import { createBreaker, type Breaker } from './createBreaker.ts'

let time: number
let breaker: Breaker
beforeEach(() => {
  time = 1_000_000
  breaker = createBreaker(() => time)
})

/** Reports failures. @returns what the breaker returned for the last one */
function fail(times: number, everyMs = 0) {
  let mustBeChecked = false
  for (let count = 0; count < times; count += 1) {
    mustBeChecked = breaker.failed()
    time += everyMs
  }
  return mustBeChecked
}

test('after the fifth failure in ten seconds, the upstream must be checked', () => {
  expect([fail(4), fail(1), fail(1)]).toEqual([false, true, true])
})

test('fewer than five failures in ten seconds need no check', () => {
  expect(fail(20, 2_500)).toBe(false)
  time += 10_000
  expect([fail(1, 10_000), fail(4)]).toEqual([false, false])
})

test('attack: failures alone do not open the breaker', () => {
  fail(100)
  expect(breaker.state()).toBe('closed')
})

test('a response resets the failures', () => {
  fail(4)
  breaker.succeeded()
  expect(fail(4)).toBe(false)
})

test('a failed check opens the breaker for five seconds, until the next check', () => {
  fail(5)
  breaker.open()
  expect(breaker.state()).toBe('open')
  time += 4_999
  expect(breaker.state()).toBe('open')
  time += 1
  expect(breaker.state()).toBe('due')
  breaker.open()
  expect(breaker.state()).toBe('open')
  time += 5_000
  breaker.succeeded()
  expect(breaker.state()).toBe('closed')
})

test('calls that end while the breaker is open need no further check', () => {
  fail(5)
  breaker.open()
  expect([fail(4), fail(1)]).toEqual([false, true])
})
