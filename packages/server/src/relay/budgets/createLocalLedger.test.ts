import { expect, test } from 'vitest'
import { createLocalLedger } from './createLocalLedger.ts'
import { hourMs, minuteMs, slotOf } from './Ledger.ts'

const account = { key: 'a1', limit: { waiting: 100, hourly: 300 } }

test('bytes are released when their message expires, or at the next full hour if it waits longer than an hour', () => {
  let time = 0
  const ledger = createLocalLedger({ now: () => time })
  const charge = (bytes: number, minutes = 5) =>
    ledger.charge([account], new Map([[slotOf(time + minutes * minuteMs, time), bytes]]))
  expect([charge(100), charge(1)]).toEqual([true, false])
  time += 5 * minuteMs
  expect([charge(100), charge(1)]).toEqual([true, false])
  time += 5 * minuteMs
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

test('bytes that are charged again for a minute are released when it has passed', () => {
  let time = 0
  const ledger = createLocalLedger({ now: () => time })
  const account = { key: 'a1', limit: { waiting: 100, hourly: 10_000 } }
  const charge = (bytes: number) => ledger.charge([account], new Map([[5, bytes]]))
  for (let round = 0; round < 2; round += 1) {
    expect([charge(60), charge(41)]).toEqual([true, false])
    ledger.add([account], new Map([[5, -60]]))
  }
  expect([charge(100), charge(1)]).toEqual([true, false])
  time += 5 * minuteMs
  expect(ledger.charge([account], new Map([[6, 100]]))).toBe(true)
  ledger.add([account], new Map([[6, -100]]))
  time += minuteMs
  expect(ledger.charge([account], new Map([[8, 80]]))).toBe(true)
})

test('accounts with the same key share a budget, also after one was unused for long', () => {
  let time = 0
  const ledger = createLocalLedger({ now: () => time })
  const first = { ...account }
  for (const minute of [5, 1_000]) {
    const second = { ...account }
    const charge = (to: typeof first, bytes: number) =>
      ledger.charge([to], new Map([[minute, bytes]]))
    expect([charge(first, 60), charge(second, 41), charge(second, 40)]).toEqual([true, false, true])
    expect(charge(first, 1)).toBe(false)
    time += 500 * minuteMs
    // Forgets the accounts.
    expect(ledger.charge([], new Map())).toBe(true)
  }
})

/** Creates a ledger with a realistic clock. `charge` charges bytes that are released in the next minute. */
function start(limit = { waiting: 1_000, hourly: 600 }) {
  const state = { time: 29_000_000 * minuteMs }
  const ledger = createLocalLedger({ now: () => state.time })
  const accountA = { key: 'a', limit }
  const minute = () => state.time / minuteMs
  const charge = (bytes: number) =>
    ledger.charge([accountA], new Map([[Math.floor(minute()) + 1, bytes]]))
  const add = (inMinutes: number, bytes: number) =>
    ledger.add([accountA], new Map([[Math.floor(minute()) + inMinutes, bytes]]))
  return { charge, add, pass: (minutes: number) => void (state.time += minutes * minuteMs) }
}

test('attack: the bytes published in an hour are limited even if none of them still waits', () => {
  const { charge, pass } = start()
  expect([charge(601), charge(600), charge(1)]).toEqual([false, true, false])
  pass(5)
  // 50 bytes are replenished.
  expect([charge(51), charge(50), charge(1)]).toEqual([false, true, false])
  pass(5)
  expect([charge(51), charge(20), charge(31), charge(30)]).toEqual([false, true, false, true])
  pass(600)
  expect([charge(601), charge(600)]).toEqual([false, true])
})

test('bytes are released in their minute', () => {
  const { charge, pass } = start({ waiting: 100, hourly: 1e9 })
  for (let count = 0; count < 5; count += 1) {
    expect([charge(100), charge(1)]).toEqual([true, false])
    pass(0.5)
    expect(charge(1)).toBe(false)
    pass(0.5)
  }
})

test('added bytes count only if their minute is in the future', () => {
  const { charge, add } = start({ waiting: 100, hourly: 1e9 })
  add(-5, 100)
  add(0, 100)
  expect(charge(1)).toBe(true)
  add(1, 99)
  expect(charge(1)).toBe(false)
})

test('bytes of several accounts are released in the same minute', () => {
  let time = 0
  const ledger = createLocalLedger({ now: () => time })
  const accounts = ['a', 'b'].map((key) => ({ key, limit: { waiting: 100, hourly: 1e9 } }))
  const charge = () =>
    accounts.map((one) => ledger.charge([one], new Map([[time / minuteMs + 1, 100]])))
  expect([charge(), charge()]).toEqual([
    [true, true],
    [false, false],
  ])
  time += minuteMs
  expect(charge()).toEqual([true, true])
})

test('an account may exceed its limit only together with one that uses little', () => {
  const ledger = createLocalLedger({ now: () => 0 })
  const project = { key: 'p', limit: { waiting: 100, hourly: 1e9, ceiling: 1.5 } }
  const address = { key: 'a', limit: { waiting: 1_000, hourly: 1e9, smallShare: 0.1 } }
  const slots = (bytes: number) => new Map([[5, bytes]])
  expect(ledger.charge([project], slots(101))).toBe(false)
  expect(ledger.charge([project], slots(100))).toBe(true)
  expect(ledger.charge([project], slots(1))).toBe(false)
  expect(ledger.charge([project, address], slots(51))).toBe(false)
  expect(ledger.charge([project, address], slots(50))).toBe(true)
})

test('if one account would exceed its limit, no account is charged', () => {
  const ledger = createLocalLedger({ now: () => 0 })
  const rich = { key: 'rich', limit: { waiting: 100, hourly: 100 } }
  const poor = { key: 'poor', limit: { waiting: 10, hourly: 100 } }
  expect(ledger.charge([rich, poor], new Map([[5, 11]]))).toBe(false)
  expect(ledger.charge([rich], new Map([[5, 100]]))).toBe(true)
})

test.each([
  [60_000, 1_001],
  [60_001, 1_002],
  [hourMs, 1_060],
  [hourMs + 1, 1_080],
  [24 * hourMs, 2_460],
])('bytes that wait for another %i ms are released in minute %i', (ms, minute) => {
  expect(slotOf(1_000 * minuteMs + ms, 1_000 * minuteMs)).toBe(minute)
})
