import { expect, test } from 'vitest'
import { createLocalLedger } from './createLocalLedger.ts'
import { hourMs, minuteMs, slotOf } from './Ledger.ts'

const account = { key: 'a1', limit: { waiting: 100, hourly: 300 } }

test('bytes wait until their minute, and count towards the hourly limit for an hour', () => {
  let time = 0
  const ledger = createLocalLedger({ now: () => time })
  const charge = (bytes: number, minutes = 5) =>
    ledger.charge([account], new Map([[slotOf(time + minutes * minuteMs, time), bytes]]))
  expect([charge(100), charge(1)]).toEqual([true, false])
  time += 5 * minuteMs
  expect([charge(100), charge(1)]).toEqual([true, false])
  time += 5 * minuteMs
  // 50 bytes are replenished in 10 minutes.
  expect([charge(100), charge(60), charge(50)]).toEqual([true, false, false])
  time += hourMs
  expect(charge(100, 24 * 60)).toBe(true)
  time += 24 * hourMs - 1
  expect(charge(1)).toBe(false)
  time += hourMs
  expect(charge(100)).toBe(true)
})

test('a release never frees more than was charged for that minute', () => {
  const ledger = createLocalLedger({ now: () => 0 })
  const slots = (minute: number, bytes: number) => new Map([[minute, bytes]])
  ledger.add([account], slots(5, -50))
  expect(ledger.charge([account], slots(6, 80))).toBe(true)
  ledger.add([account], slots(5, -80))
  expect(ledger.charge([account], slots(6, 21))).toBe(false)
  ledger.add([account], slots(6, -1))
  expect(ledger.charge([account], slots(6, 21))).toBe(true)
})
