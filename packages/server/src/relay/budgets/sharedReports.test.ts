import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeAccounts } from '../../testing/createFakeAccounts.ts'
import { createSharedLedger } from './createSharedLedger.ts'
import { hourMs, totalOf, type Ledger } from './Ledger.ts'

/** Each process may use 100 waiting bytes and 1,000 published bytes before it reports them. */
const limit = { waiting: 1_600, hourly: 16_000 }
const account = { key: 'a', limit }
const other = { key: 'b', limit }
/** A byte is replenished in 225 ms. */
const costMs = (bytes: number) => bytes * 225
const slots = (bytes: number, minute = 5) => new Map([[minute, bytes]])

let redis: ReturnType<typeof createFakeAccounts>
let ledger: Ledger
beforeEach(() => {
  vi.useFakeTimers({ now: 10 * hourMs })
  redis = createFakeAccounts()
  ledger = createSharedLedger({ accounts: redis, now: Date.now })
})
afterEach(async () => {
  redis.gate = undefined
  await ledger.close!()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The reports since the last call, without requested charges. */
function reports() {
  return redis.changes.splice(0).map(({ key, change: { spentMs, slots } }) => ({
    key,
    bytes: spentMs / 225,
    slots: Object.fromEntries(slots!),
  }))
}

describe('a charge', () => {
  test('is granted without Redis up to 1/16 of the waiting bytes, and reported within a second', async () => {
    expect(ledger.charge([account], slots(60))).toBe(true)
    expect(ledger.charge([account], slots(40, 6))).toBe(true)
    await pass(999)
    expect(reports()).toEqual([])
    await pass(1)
    expect(reports()).toEqual([{ key: 'a', bytes: 100, slots: { 5: 60, 6: 40 } }])
    await pass(10_000)
    expect(reports()).toEqual([])
    expect(ledger.charge([account], slots(100))).toBe(true)
  })

  test('is decided by Redis beyond this share, together with the unreported bytes', async () => {
    void ledger.charge([account], slots(100))
    expect(await ledger.charge([account], slots(1))).toBe(true)
    expect(redis.changes).toEqual([
      {
        key: 'a',
        change: {
          report: expect.anything() as unknown,
          spentMs: costMs(100),
          slots: slots(100),
          wanted: { spentMs: costMs(1), slots: slots(1), maxMs: hourMs, maxWaiting: 1_600 },
        },
      },
    ])
    // The bytes are reported, so the share is available again.
    expect(ledger.charge([account], slots(100))).toBe(true)
  })

  test('is decided by Redis beyond 1/16 of the published bytes', async () => {
    const roomy = { key: 'a', limit: { waiting: 1_000_000, hourly: 16_000 } }
    expect(ledger.charge([roomy], slots(1_000))).toBe(true)
    const next = ledger.charge([roomy], slots(1))
    expect(next).toBeInstanceOf(Promise)
    expect(await next).toBe(true)
    expect(ledger.charge([roomy], slots(1_000))).toBe(true)
  })

  test('is decided by Redis if the waiting bytes are used up in this process', async () => {
    expect(await ledger.charge([account], slots(1_600))).toBe(true)
    const next = ledger.charge([account], slots(1))
    expect(next).toBeInstanceOf(Promise)
    expect(await next).toBe(false)
  })

  test('is decided by Redis if this process knows that the published bytes are used up', async () => {
    const roomy = { key: 'a', limit: { waiting: 1_000_000, hourly: 16_000 } }
    expect(await ledger.charge([roomy], slots(15_990))).toBe(true)
    expect(ledger.charge([roomy], slots(10))).toBe(true)
    expect(await ledger.charge([roomy], slots(1))).toBe(false)
    await pass(hourMs / 2)
    expect(ledger.charge([roomy], slots(1_000))).toBe(true)
  })

  test('that Redis refuses for one account is undone for all', async () => {
    expect(await ledger.charge([account], slots(1_590))).toBe(true)
    const third = { key: 'c', limit }
    expect(await ledger.charge([third], slots(200))).toBe(true)
    redis.changes.length = 0
    void ledger.charge([third], slots(90))
    expect(await ledger.charge([other, account, third], slots(50))).toBe(false)
    expect(redis.changes.map(({ key }) => key)).toEqual(['a', 'c'])
    await ledger.close!()
    redis.changes.length = 0
    redis.isDown = true
    ledger = createSharedLedger({ accounts: redis, now: Date.now })
    redis.isDown = false
    // In Redis, the accounts contain only the charges that were granted.
    expect(await ledger.charge([other], slots(1_600))).toBe(true)
    expect(await ledger.charge([third], slots(1_600 - 290))).toBe(true)
    expect(await ledger.charge([third], slots(1))).toBe(false)
    expect(await ledger.charge([account], slots(10))).toBe(true)
  })

  test('that Redis refuses leaves the account’s share as it was', async () => {
    expect(await ledger.charge([account], slots(1_600))).toBe(true)
    expect(await ledger.charge([other, account], slots(100))).toBe(false)
    expect(ledger.charge([other], slots(100))).toBe(true)
    await pass(1_000)
    expect(reports().at(-1)).toEqual({ key: 'b', bytes: 100, slots: { 5: 100 } })
  })
})

/** An account may use a quarter more than its limit for accounts that use at most a quarter of theirs. */
describe('a charge to an account that uses little', () => {
  const full = { key: 'full', limit: { ...limit, ceiling: 1.25 } }
  const small = { key: 'small', limit: { ...limit, smallShare: 0.25 } }

  /** The charges that were requested since the last call. */
  function requested() {
    return redis.changes.splice(0).flatMap(({ key, change: { wanted } }) => {
      if (!wanted) return []
      const { spentMs, maxMs, maxWaiting } = wanted
      return [{ key, bytes: spentMs / 225, hours: maxMs / hourMs, waiting: maxWaiting }]
    })
  }

  beforeEach(async () => {
    await ledger.charge([full], slots(1_600))
    redis.changes.length = 0
  })

  test('may exceed the limit of another one, up to its ceiling; Redis decides', async () => {
    expect(await ledger.charge([full, small], slots(100))).toBe(true)
    expect(requested()).toEqual([
      { key: 'full', bytes: 100, hours: 1, waiting: 1_600 },
      { key: 'full', bytes: 100, hours: 1.25, waiting: 2_000 },
      { key: 'small', bytes: 100, hours: 0.25, waiting: 400 },
    ])
    const second = { ...small, key: 'second' }
    expect(await ledger.charge([full, second], slots(300))).toBe(true)
    const third = { ...small, key: 'third' }
    redis.changes.length = 0
    expect(await ledger.charge([full, third], slots(1))).toBe(false)
    expect(requested()).toEqual([{ key: 'full', bytes: 1, hours: 1, waiting: 1_600 }])
    expect(await ledger.charge([full], slots(1))).toBe(false)
  })

  test('is refused if the account has no small share, or then would use more', async () => {
    expect(await ledger.charge([full, other], slots(1))).toBe(false)
    expect(await ledger.charge([full, small], slots(400))).toBe(true)
    redis.changes.length = 0
    expect(await ledger.charge([full, small], slots(1))).toBe(false)
    expect(requested()).toEqual([{ key: 'full', bytes: 1, hours: 1, waiting: 1_600 }])
  })

  test('is refused if the account has published more than its share, although nothing waits', async () => {
    const roomy = { key: 'roomy', limit: { ...small.limit, waiting: 1_000_000 } }
    expect(await ledger.charge([roomy], slots(4_000))).toBe(true)
    ledger.add([roomy], slots(-4_000))
    redis.changes.length = 0
    expect(await ledger.charge([full, roomy], slots(1))).toBe(false)
    expect(requested()).toEqual([{ key: 'full', bytes: 1, hours: 1, waiting: 1_600 }])
  })

  test('is made once if no limit is reached', async () => {
    expect(ledger.charge([small], slots(50))).toBe(true)
    expect(await ledger.charge([small], slots(90))).toBe(true)
    expect(requested()).toEqual([{ key: 'small', bytes: 90, hours: 1, waiting: 1_600 }])
  })
})

describe('a report', () => {
  test('contains what changed since the last one; bytes charged meanwhile stay unreported', async () => {
    const gate = Promise.withResolvers<void>()
    redis.gate = gate.promise
    void ledger.charge([account], slots(60))
    await pass(1_000)
    expect(reports()).toEqual([{ key: 'a', bytes: 60, slots: { 5: 60 } }])
    expect(ledger.charge([account], slots(40))).toBe(true)
    gate.resolve()
    redis.gate = undefined
    await pass(1_000)
    expect(reports()).toEqual([{ key: 'a', bytes: 40, slots: { 5: 40 } }])
    redis.isDown = true
    expect(await fill(50)).toBe(1_500)
  })

  test.each([
    ['waiting', limit, 50, 1_500],
    ['published', { waiting: 1_000_000, hourly: 1_600 }, 50, 1_500],
  ])('leaves %s bytes counted that were charged meanwhile', async (_, limits, bytes, left) => {
    const one = { key: 'a', limit: limits }
    const gate = Promise.withResolvers<void>()
    redis.gate = gate.promise
    void ledger.charge([one], slots(60))
    await pass(1_000)
    expect(ledger.charge([one], slots(40))).toBe(true)
    gate.resolve()
    await pass(0)
    redis.isDown = true
    expect(await fill(bytes, one)).toBe(left)
  })

  test('of released bytes is sent immediately if they exceed the share, one at a time', async () => {
    expect(await ledger.charge([account], slots(1_600))).toBe(true)
    redis.changes.length = 0
    ledger.add([account], slots(-100))
    expect(reports()).toEqual([])
    const gate = Promise.withResolvers<void>()
    redis.gate = gate.promise
    ledger.add([account], slots(-1))
    expect(reports()).toEqual([{ key: 'a', bytes: 0, slots: { 5: -101 } }])
    ledger.add([account], slots(-200))
    expect(reports()).toEqual([])
    gate.resolve()
    redis.gate = undefined
    await pass(0)
    ledger.add([account], slots(-1))
    expect(reports()).toEqual([{ key: 'a', bytes: 0, slots: { 5: -201 } }])
    await pass(0)
    ledger.add([account], slots(102))
    expect(reports()).toEqual([{ key: 'a', bytes: 0, slots: { 5: 102 } }])
  })

  test('of bytes that no longer wait follows within a minute', async () => {
    void ledger.charge([account], slots(50))
    ledger.add([account], slots(-50))
    await pass(59_999)
    expect(reports()).toEqual([])
    await pass(1)
    expect(reports()).toEqual([{ key: 'a', bytes: 50, slots: {} }])
    void ledger.charge([account], slots(30))
    ledger.add([account], slots(-30))
    await pass(59_000)
    expect(reports()).toEqual([])
    await pass(1_000)
    expect(reports()).toEqual([{ key: 'a', bytes: 30, slots: {} }])
  })

  test('is not sent for bytes that are released within a second', async () => {
    await pass(500)
    void ledger.charge([account], slots(50))
    await pass(999)
    ledger.add([account], slots(-50))
    await pass(1)
    void ledger.charge([account], slots(30))
    await pass(999)
    expect(reports()).toEqual([])
    await pass(1)
    expect(reports()).toEqual([])
    await pass(1_000)
    expect(reports()).toEqual([{ key: 'a', bytes: 80, slots: { 5: 30 } }])
  })

  test('is sent within a second even if bytes change all the time', async () => {
    for (let count = 0; count < 4; count += 1) {
      void ledger.charge([account], slots(10))
      await pass(300)
    }
    expect(reports()).toEqual([{ key: 'a', bytes: 40, slots: { 5: 40 } }])
  })

  test('of published bytes is not forgotten if Redis does not respond for a minute', async () => {
    const accounts = Array.from({ length: 401 }, (_, index) => ({ key: `${index}`, limit }))
    void ledger.charge(accounts, slots(10))
    ledger.add(accounts, slots(-10))
    redis.isDown = true
    await pass(60_000)
    redis.isDown = false
    redis.changes.length = 0
    await pass(61_000)
    const published = reports().filter(({ bytes }) => bytes === 10)
    expect(published.map(({ key }) => key).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      accounts.map(({ key }) => key),
    )
  })

  test('of many accounts is sent in groups of 200', async () => {
    const accounts = Array.from({ length: 401 }, (_, index) => ({ key: `${index}`, limit }))
    void ledger.charge(accounts, slots(1))
    await pass(1_000)
    expect(reports().map(({ key }) => key)).toEqual(accounts.map(({ key }) => key))
    expect(redis.maxOpen).toBe(200)
  })

  test('that fails ends the round; the next round repeats it, and reports the other bytes', async () => {
    const accounts = Array.from({ length: 401 }, (_, index) => ({ key: `${index}`, limit }))
    void ledger.charge(accounts, slots(10))
    redis.isDown = true
    await pass(1_000)
    expect(reports()).toHaveLength(200)
    void ledger.charge(accounts, slots(2))
    redis.isDown = false
    await pass(1_000)
    const all = reports()
    expect(all).toHaveLength(601)
    expect(all.filter(({ key }) => key === '0')).toEqual([
      { key: '0', bytes: 10, slots: { 5: 10 } },
      { key: '0', bytes: 2, slots: { 5: 2 } },
    ])
    expect(all).toContainEqual({ key: '400', bytes: 12, slots: { 5: 12 } })
  })

  test('does not start while another round runs', async () => {
    const gate = Promise.withResolvers<void>()
    redis.gate = gate.promise
    void ledger.charge([account], slots(10))
    await pass(1_000)
    void ledger.charge([account], slots(10))
    await pass(5_000)
    expect(reports()).toHaveLength(1)
    gate.resolve()
    await pass(1_000)
    expect(reports()).toHaveLength(1)
  })
})

/** Repeats a charge until it is refused. @returns their sum */
async function fill(bytes: number, to = account) {
  let charged = 0
  while (await ledger.charge([to], slots(bytes))) charged += bytes
  return charged
}

describe('while Redis does not respond', () => {
  test.each([
    ['waiting bytes', { waiting: 1_600, hourly: 1_000_000 }],
    ['published bytes', { waiting: 1_000_000, hourly: 1_600 }],
  ])('the limit of %s applies to this process, then Redis gets all charges', async (_, limits) => {
    const one = { key: 'a', limit: limits }
    expect(await ledger.charge([one], slots(800))).toBe(true)
    redis.isDown = true
    expect(await fill(100, one)).toBe(800)
    expect(await ledger.charge([one], slots(1))).toBe(false)
    redis.isDown = false
    redis.changes.length = 0
    await pass(1_000)
    // The report of the first charge is repeated; the other charges follow.
    const all = redis.changes.map(({ change }) => [totalOf(change.slots!), change.spentMs])
    expect(all).toEqual([100, 700].map((bytes) => [bytes, (bytes * hourMs) / limits.hourly]))
    const newest = createSharedLedger({ accounts: redis, now: Date.now })
    expect(await newest.charge([one], slots(200))).toBe(false)
    await newest.close!()
  })

  test('published bytes are replenished', async () => {
    const roomy = { key: 'a', limit: { waiting: 1_000_000, hourly: 16_000 } }
    redis.isDown = true
    expect(await fill(1_000, roomy)).toBe(16_000)
    await pass(hourMs / 4)
    expect(await fill(1_000, roomy)).toBe(4_000)
    await pass(3 * hourMs)
    expect(await fill(1_000, roomy)).toBe(16_000)
  })

  test('a refused charge is not counted', async () => {
    redis.isDown = true
    expect(await fill(1_000, other)).toBe(1_000)
    expect(await ledger.charge([account, other], slots(700))).toBe(false)
    expect(await ledger.charge([account], slots(1_600))).toBe(true)
  })
})

describe('an account that is unused for a minute', () => {
  test('is forgotten, so that bytes released elsewhere are available again', async () => {
    // Near 7/8 of the limit, but not above.
    expect(await ledger.charge([account], slots(1_400))).toBe(true)
    redis.changes.length = 0
    await pass(60_000)
    await pass(60_000)
    expect(reports()).toEqual([])
    expect(ledger.charge([account], slots(100))).toBe(true)
    expect(ledger.charge([account], slots(1))).toBeInstanceOf(Promise)
    redis.isDown = true
    expect(await fill(100)).toBe(1_400)
  })

  test.each([
    ['waiting bytes', { waiting: 1_600, hourly: 1_000_000 }],
    ['published bytes', { waiting: 1_000_000, hourly: 1_600 }],
  ])('attack: is updated instead if most of its %s are used', async (_, limits) => {
    const one = { key: 'a', limit: limits }
    expect(await ledger.charge([one], slots(1_600))).toBe(true)
    redis.changes.length = 0
    await pass(60_000)
    expect(reports().map(({ key, slots }) => [key, slots])).toEqual([['a', {}]])
    // A forgotten account could use its share again.
    expect(ledger.charge([one], slots(90))).toBeInstanceOf(Promise)
  })

  test('is forgotten if exactly 7/8 of its published bytes are used', async () => {
    // A byte is replenished in 1 ms.
    const one = { key: 'a', limit: { waiting: 10_000_000, hourly: hourMs } }
    expect(await ledger.charge([one], slots((hourMs * 7) / 8 + 60_000))).toBe(true)
    redis.changes.length = 0
    await pass(60_000)
    expect(reports()).toEqual([])
  })

  test('is kept while it is used', async () => {
    expect(await ledger.charge([account], slots(1_300))).toBe(true)
    await pass(50_000)
    ledger.add([account], slots(1))
    await pass(10_000)
    redis.isDown = true
    expect(await fill(299)).toBe(299)
    expect(await ledger.charge([account], slots(1))).toBe(false)
  })
})

test('close() reports everything, and ends the reports', async () => {
  const gate = Promise.withResolvers<void>()
  redis.gate = gate.promise
  void ledger.charge([account], slots(10))
  await pass(1_000)
  void ledger.charge([account], slots(20))
  void ledger.charge([other], slots(30))
  ledger.add([other], slots(-30))
  let isClosed = false
  const closing = ledger.close!().then(() => (isClosed = true))
  await pass(0)
  expect([isClosed, reports()]).toEqual([false, [{ key: 'a', bytes: 10, slots: { 5: 10 } }]])
  gate.resolve()
  await closing
  expect(reports()).toEqual([
    { key: 'a', bytes: 20, slots: { 5: 20 } },
    { key: 'b', bytes: 30, slots: {} },
  ])
  void ledger.charge([account], slots(10))
  await pass(120_000)
  expect(reports()).toEqual([])
})
