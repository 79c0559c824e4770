import { expect, test } from 'vitest'
import { createManualClock } from '../testing/createManualClock.ts'
import { watchResume } from './watchResume.ts'

test('§9.10.3/1 a heartbeat runs every 5 s; a late heartbeat means that the machine was suspended', () => {
  const clock = createManualClock()
  const calls: string[] = []
  let suspendedMs = 0
  const stop = watchResume({
    // While a machine is suspended, time advances but no timers run.
    clock: { ...clock, now: () => clock.now() + suspendedMs },
    onResume: () => calls.push('resume'),
    onTick: () => calls.push('tick'),
  })
  clock.advance(4_999)
  expect(calls).toEqual([])
  clock.advance(1)
  clock.advance(5_000)
  expect(calls).toEqual(['tick', 'tick'])
  suspendedMs = 60_000
  clock.advance(5_000)
  expect(calls.slice(2)).toEqual(['resume', 'tick'])
  stop()
  expect(clock.pending()).toBe(0)
})
