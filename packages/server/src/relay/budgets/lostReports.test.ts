import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeAccounts } from '../../testing/createFakeAccounts.ts'
import { createSharedLedger } from './createSharedLedger.ts'
import { hourMs, type Ledger } from './Ledger.ts'

/** Each process may use 100 waiting bytes and 1,000 published bytes before it reports them. */
const account = { key: 'a', limit: { waiting: 1_600, hourly: 16_000 } }
const slots = (bytes: number) => new Map([[5, bytes]])

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

/** The reports since the last call. */
const reports = () => redis.changes.splice(0).map(({ change }) => change.report!)
const names = () => reports().map(({ name }) => name)

/** The bytes that Redis has counted. The published bytes are rounded, because 4 bytes are replenished in a second. */
async function counted() {
  const { waiting, debtMs } = await redis.update('a', { spentMs: 0 })
  redis.changes.pop()
  return { waiting, published: Math.round((debtMs * 1_600) / hourMs) * 10 }
}

/** Does something whose reports are applied by Redis, but whose replies are lost. */
async function lose<Result>(act: () => Result): Promise<Awaited<Result>> {
  redis.losesReplies = true
  const result = await act()
  await pass(0)
  redis.losesReplies = false
  return result
}

const charge = async (bytes: number) => ledger.charge([account], slots(bytes))

/** Repeats a charge until it is refused. @returns their sum */
async function fill(bytes: number) {
  let charged = 0
  while (await charge(bytes)) charged += bytes
  return charged
}

describe('a report whose reply is lost', () => {
  test('counts once, with the charge that it requested', async () => {
    void charge(90)
    expect(await lose(() => charge(500))).toBe(true)
    expect(await counted()).toEqual({ waiting: 590, published: 590 })
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 590, published: 590 })
    redis.isDown = true
    expect(await fill(10)).toBe(1_010)
  })

  test('counts the charge that Redis refused if this process has granted it', async () => {
    await redis.update('a', { spentMs: 0, slots: slots(1_550) })
    expect(await lose(() => charge(200))).toBe(true)
    expect(await counted()).toEqual({ waiting: 1_550, published: 0 })
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 1_750, published: 200 })
  })

  test('does not count the charge that Redis granted if this process has refused it', async () => {
    expect(await charge(1_600)).toBe(true)
    await redis.update('a', { spentMs: 0, slots: slots(-1_000) })
    expect(await lose(() => charge(500))).toBe(false)
    expect(await counted()).toEqual({ waiting: 1_100, published: 2_100 })
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 600, published: 1_600 })
  })

  test('attack: releases bytes once', async () => {
    expect(await charge(1_600)).toBe(true)
    await lose(() => ledger.add([account], slots(-500)))
    expect(await counted()).toEqual({ waiting: 1_100, published: 1_600 })
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 1_100, published: 1_600 })
    redis.isDown = true
    expect(await fill(10)).toBe(500)
  })

  test('counts once if Redis has not received it', async () => {
    void charge(90)
    redis.isDown = true
    expect(await charge(500)).toBe(true)
    redis.isDown = false
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 590, published: 590 })
  })

  test('is repeated even if nothing else is left to report', async () => {
    void charge(50)
    await lose(() => pass(1_000))
    const [lost] = names()
    for (const bytes of [10, -10]) ledger.add([account], slots(bytes))
    await pass(1_000)
    expect(names()[0]).toBe(lost)
  })

  test('counts once if other replies were lost at the same time', async () => {
    const charges = () => [100, 200, 300].map(charge)
    void charge(100)
    expect(await lose(() => Promise.all(charges()))).toEqual([true, true, true])
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 700, published: 700 })
  })

  test('counts once if the reply is lost while another report is repeated', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    redis.gate = gates[0].promise
    const first = charge(200)
    redis.gate = undefined
    expect(await lose(() => charge(300))).toBe(true)
    redis.gate = gates[1].promise
    const third = charge(400)
    expect(await lose(() => (gates[0].resolve(), first))).toBe(true)
    redis.gate = undefined
    gates[1].resolve()
    expect(await third).toBe(true)
    await pass(1_000)
    expect(await counted()).toEqual({ waiting: 900, published: 900 })
  })
})

test('during an outage, only the report that was lost first is repeated', async () => {
  await lose(() => charge(200))
  const [lost] = names()
  redis.isDown = true
  const charges = [200, 300].map(charge)
  expect(await Promise.all(charges)).toEqual([true, true])
  expect(names()).toEqual([lost])
  await pass(1_000)
  expect(names()).toEqual([lost])
  redis.isDown = false
  await pass(1_000)
  expect(names()).toEqual([lost, expect.not.stringMatching(lost!)])
  expect(await counted()).toMatchObject({ waiting: 700 })
  await pass(10_000)
  expect(names()).toEqual([])
})

test('nothing else is reported before all lost reports are repeated', async () => {
  await lose(() => Promise.all([200, 300].map(charge)))
  const lost = names()
  let updates = 0
  Object.defineProperty(redis, 'isDown', { get: () => (updates += 1) === 1, configurable: true })
  expect(await charge(400)).toBe(true)
  expect(names()).toEqual(lost)
  expect(await charge(100)).toBe(true)
  expect(names()).toEqual([lost[0], expect.not.stringMatching(lost[1]!)])
  expect(await counted()).toMatchObject({ waiting: 1_000 })
})

test('a report lists the answered reports of its account, except those that were repeated', async () => {
  await charge(200)
  await charge(200)
  await lose(() => charge(200))
  await charge(200)
  await charge(200)
  const [first, second, lost, repeated, fourth, fifth] = reports()
  expect(first!.answered).toEqual([])
  expect(second!.answered).toEqual([first!.name])
  expect(lost!.answered).toEqual([second!.name])
  expect(repeated).toEqual(lost)
  expect(fourth!.answered).toEqual([])
  expect(fifth!.answered).toEqual([fourth!.name])
  expect(new Set([first, second, lost, fourth, fifth].map((one) => one!.name)).size).toBe(5)
})

test('reports of two processes have different names', async () => {
  const other = createSharedLedger({ accounts: redis, now: Date.now })
  for (const one of [ledger, other]) await one.charge([account], slots(200))
  await other.close!()
  const [first, second] = names()
  expect(first).not.toBe(second)
})
