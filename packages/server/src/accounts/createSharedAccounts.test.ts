import { askRedis, whyNoRedis } from '@gatefold/tests/redis'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSharedAccounts, type Change } from './createSharedAccounts.ts'
import { useRedis } from '../testing/useRedis.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Far in the future, so that Redis does not delete a key while its test runs. */
const firstMinute = Math.ceil(Date.now() / minuteMs) + 60

describe.skipIf(await whyNoRedis())('an account', () => {
  const running = useRedis()

  let tests = 0
  let key = ''
  let stored = ''
  let now = 0
  beforeEach(() => {
    tests += 1
    key = `a${tests}`
    stored = `gatefold:budget:${key}`
    now = firstMinute * minuteMs
  })

  const accounts = () => createSharedAccounts({ redis: running.redis, now: () => now })
  /** Changes the account. `slots` are by minutes from the first one. */
  const update = (change: Partial<Change> = {}) => accounts().update(key, { spentMs: 0, ...change })
  const at = (slots: Record<number, number>) =>
    new Map(Object.entries(slots).map(([minute, bytes]) => [firstMinute + Number(minute), bytes]))
  const waiting = (slots: Record<number, number>) => update({ slots: at(slots) })
  const wanted = (slots: Record<number, number>, spentMs = 0) => ({
    wanted: { spentMs, slots: at(slots), maxMs: hourMs, maxWaiting: 1_000 },
  })
  const want = (bytes: number, spentMs = 0) => update(wanted({ 5: bytes }, spentMs))
  const fields = async () => {
    const all = await running.operator.hGetAll(stored)
    return Object.keys(all).filter((name) => /^\d/.test(name)).length
  }
  /** When Redis deletes the account, in ms from the first minute. */
  const endsIn = async () => (await running.operator.pExpireTime(stored)) - firstMinute * minuteMs

  describe('with waiting bytes', () => {
    test('is the sum of all changes until their minutes', async () => {
      expect(await waiting({ 1: 10, 3: 100 })).toEqual({
        isGranted: false,
        waiting: 110,
        debtMs: 0,
      })
      expect((await waiting({ 2: 1_000, 3: -40 })).waiting).toBe(1_070)
      now += minuteMs - 1
      expect((await update()).waiting).toBe(1_070)
      now += 1
      expect((await update()).waiting).toBe(1_060)
      now += 2 * minuteMs - 1
      expect((await update()).waiting).toBe(60)
      now += 1
      expect((await update()).waiting).toBe(0)
    })

    test('forgets several minutes at once, and keeps the later ones', async () => {
      await waiting({ 4: 1_000, 1: 1, 2: 10, 3: 100 })
      now += 2 * minuteMs
      expect((await update()).waiting).toBe(1_100)
      expect(await fields()).toBe(2)
      now += minuteMs
      expect((await update()).waiting).toBe(1_000)
      now += minuteMs
      expect((await update()).waiting).toBe(0)
    })

    test('ignores minutes that are over', async () => {
      await waiting({ 2: 10 })
      expect((await waiting({ 0: 100, [-1]: 1_000 })).waiting).toBe(10)
      now += minuteMs
      expect((await waiting({ 1: 100 })).waiting).toBe(10)
      expect(await fields()).toBe(1)
    })

    test('is read as a whole only when a minute is over', async () => {
      // A field that only a complete read finds.
      const mark = () => running.operator.hSet(stored, '1', '7')
      await waiting({ 1: 10, 3: 100 })
      await mark()
      expect((await update()).waiting).toBe(110)
      now += minuteMs
      expect((await update()).waiting).toBe(93)
      await mark()
      expect((await update()).waiting).toBe(93)
      await waiting({ 2: 1 })
      now += minuteMs
      expect((await update()).waiting).toBe(86)
    })

    test('stores no minute without bytes', async () => {
      await waiting({ 1: 10, 2: 5 })
      expect((await waiting({ 2: -5 })).waiting).toBe(10)
      expect(await fields()).toBe(1)
    })

    test('is deleted with its last minute', async () => {
      await waiting({ 3: 10, 7: 5, 4: 1 })
      expect(await endsIn()).toBe(7 * minuteMs)
      await waiting({ 2: 5 })
      expect(await endsIn()).toBe(7 * minuteMs)
    })

    test('is deleted at once if all bytes were released', async () => {
      await waiting({ 3: 10 })
      expect((await waiting({ 3: -10 })).waiting).toBe(0)
      expect(await running.operator.exists(stored)).toBe(0)
    })

    test('counts large numbers exactly', async () => {
      await waiting({ 3: 2 ** 52 })
      expect((await waiting({ 3: 1 })).waiting).toBe(2 ** 52 + 1)
      expect(await running.operator.hGet(stored, 'waiting')).toBe(`${2 ** 52 + 1}`)
    })
  })

  describe('with usage', () => {
    test('is replenished with time', async () => {
      expect((await update({ spentMs: 1_000 })).debtMs).toBe(1_000)
      now += 400
      expect((await update({ spentMs: 50.5 })).debtMs).toBe(651)
      now += 10_000
      expect((await update({ spentMs: 70 })).debtMs).toBe(70)
    })

    test('is deleted once it is replenished', async () => {
      await update({ spentMs: 1_000.5 })
      expect(await endsIn()).toBe(1_001)
      now += 2_000
      await update()
      expect(await running.operator.exists(stored)).toBe(0)
    })

    test('is kept as long as bytes wait, and longer if it is replenished later', async () => {
      await update({ spentMs: 3 * minuteMs, slots: at({ 2: 10 }) })
      expect(await endsIn()).toBe(3 * minuteMs)
      await waiting({ 4: 10 })
      expect(await endsIn()).toBe(4 * minuteMs)
    })
  })

  describe('grants a charge', () => {
    test('up to the maximum of waiting bytes', async () => {
      await waiting({ 3: 400 })
      expect(await want(601)).toEqual({ isGranted: false, waiting: 400, debtMs: 0 })
      expect(await want(600)).toEqual({ isGranted: true, waiting: 1_000, debtMs: 0 })
      expect((await want(1)).isGranted).toBe(false)
      expect((await want(0)).isGranted).toBe(true)
      now += 3 * minuteMs
      expect(await want(400)).toEqual({ isGranted: true, waiting: 1_000, debtMs: 0 })
    })

    test('up to the maximum of usage', async () => {
      await update({ spentMs: hourMs - 1_000 })
      expect(await want(1, 1_001)).toEqual({
        isGranted: false,
        waiting: 0,
        debtMs: hourMs - 1_000,
      })
      expect(await want(1, 1_000)).toEqual({
        isGranted: true,
        waiting: 1,
        debtMs: hourMs,
      })
      now += 50
      expect((await want(1, 51)).isGranted).toBe(false)
      expect((await want(1, 50)).isGranted).toBe(true)
    })

    test('after the other changes, which it does not undo', async () => {
      const change = { slots: at({ 2: 900 }), spentMs: 10 }
      expect(await update({ ...change, ...wanted({ 3: 60, 4: 41 }, 5) })).toEqual({
        isGranted: false,
        waiting: 900,
        debtMs: 10,
      })
      expect(await update(wanted({ 3: 60, 4: 40 }, 5))).toEqual({
        isGranted: true,
        waiting: 1_000,
        debtMs: 15,
      })
      now += 3 * minuteMs
      expect((await update()).waiting).toBe(40)
    })
  })

  describe('recognizes a repeated change by its name', () => {
    const named = (name: string, change: Partial<Change> = {}, answered: string[] = []) =>
      update({ slots: at({ 3: 100 }), spentMs: 1_000, ...change, report: { name, answered } })
    const records = async () => (await running.operator.keys(`{${stored}}:*`)).toSorted()

    test('and counts it once', async () => {
      const once = { isGranted: false, waiting: 100, debtMs: 1_000 }
      expect([await named('one'), await named('one')]).toEqual([once, once])
      expect(await named('two')).toEqual({ isGranted: false, waiting: 200, debtMs: 2_000 })
      expect(await named('one')).toEqual({ isGranted: false, waiting: 200, debtMs: 2_000 })
      now += 3 * minuteMs
      expect((await named('one')).waiting).toBe(0)
    })

    test.each([
      [50, true, 150],
      [901, false, 100],
    ])('with a charge of %i bytes, which it grants once: %s', async (bytes, isGranted, sum) => {
      const outcome = { isGranted, waiting: sum, debtMs: isGranted ? 1_001 : 1_000 }
      expect(await named('one', wanted({ 3: bytes }, 1))).toEqual(outcome)
      expect(await named('one', wanted({ 3: bytes }, 1))).toEqual(outcome)
      expect(await named('one')).toEqual(outcome)
    })

    test('even if the account was deleted meanwhile', async () => {
      await waiting({ 3: 100 })
      await named('one', { slots: at({ 3: -100 }), spentMs: 0 })
      expect(await running.operator.exists(stored)).toBe(0)
      const again = await named('one', { slots: at({ 3: -100 }), spentMs: 0 })
      expect(again).toEqual({ isGranted: false, waiting: 0, debtMs: 0 })
    })

    test('for five minutes', async () => {
      await named('one')
      expect(await records()).toEqual([`{${stored}}:one`])
      const life = await running.operator.pTTL(`{${stored}}:one`)
      expect(Math.ceil(life / minuteMs)).toBe(5)
    })

    test('until it is named as answered', async () => {
      await named('one')
      await named('two')
      await named('three', {}, ['one', 'two'])
      expect(await records()).toEqual([`{${stored}}:three`])
      expect((await named('one')).waiting).toBe(400)
    })

    test('only within its account', async () => {
      await named('one')
      key = `other${tests}`
      expect((await named('one')).waiting).toBe(100)
    })

    test('but not a change without a name', async () => {
      await waiting({ 3: 100 })
      await waiting({ 3: 100 })
      expect((await update()).waiting).toBe(200)
      expect(await records()).toEqual([])
    })
  })

  test('applies its limits in a full Redis', async () => {
    await askRedis(running.server.port, 'CONFIG SET maxmemory 1')
    try {
      const report = { name: 'one', answered: [] }
      expect((await update({ report, ...wanted({ 5: 600 }) })).isGranted).toBe(true)
      expect((await want(600)).isGranted).toBe(false)
    } finally {
      await askRedis(running.server.port, 'CONFIG SET maxmemory 0')
    }
  })

  test('error: throws if Redis does not respond in time', async () => {
    await askRedis(running.server.port, 'CLIENT PAUSE 700')
    const begin = performance.now()
    await expect(update()).rejects.toThrow('Redis does not respond')
    const tookMs = performance.now() - begin
    expect(tookMs).toBeGreaterThan(490)
    expect(tookMs).toBeLessThan(690)
  })
})
