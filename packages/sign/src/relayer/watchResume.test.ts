import { expect, test } from 'vitest'
import { createManualClock } from '../testing/createManualClock.ts'
import { watchResume } from './watchResume.ts'

test('§9.10.3 a heart beats every 5 s; a beat that comes late woke up with the machine', () => {
  const clock = createManualClock()
  const told: string[] = []
  let lost = 0
  const stop = watchResume({
    // A machine that sleeps: its time goes on, its timers do not.
    clock: { ...clock, now: () => clock.now() + lost },
    onResume: () => told.push('wake'),
    onTick: () => told.push('tick'),
  })
  clock.advance(4_999)
  expect(told).toEqual([])
  clock.advance(1)
  clock.advance(5_000)
  expect(told).toEqual(['tick', 'tick'])
  lost = 60_000
  clock.advance(5_000)
  expect(told.slice(2)).toEqual(['wake', 'tick'])
  stop()
  expect(clock.pending()).toBe(0)
})
