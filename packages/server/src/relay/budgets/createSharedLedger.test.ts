import { askRedis, startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSharedAccounts } from '../../accounts/createSharedAccounts.ts'
import { openRedis } from '../../redis/openRedis.ts'
import { startTcpProxy } from '../../testing/startTcpProxy.ts'
import { createSharedLedger } from './createSharedLedger.ts'
import type { Ledger } from './Ledger.ts'

describe.skipIf(await whyNoRedis())('ledgers on one Redis', () => {
  let redis: Redis
  let closers: (() => unknown)[]
  beforeEach(async () => {
    closers = []
    redis = await startRedis()
  })
  afterEach(async () => {
    for (const close of closers) await close()
    await redis.stop()
  })

  const account = { key: 'a1', limit: { waiting: 1600, hourly: 16_000 } }
  const other = { ...account, key: 'a2' }
  const minute = () => Math.ceil(Date.now() / 60_000) + 5

  async function open(url = redis.url): Promise<Ledger> {
    const connection = await openRedis({ urls: [url], replicas: 0 })
    const accounts = createSharedAccounts({ redis: connection, now: Date.now })
    const ledger = createSharedLedger({ accounts, now: Date.now })
    closers.push(async () => {
      await ledger.close!()
      connection.close()
    })
    return ledger
  }

  async function fill(ledger: Ledger, bytes: number) {
    let charged = 0
    while (await ledger.charge([account], new Map([[minute(), bytes]]))) charged += bytes
    return charged
  }

  test.each([10, 100, 400])('share a limit when each charge is %i bytes', async (bytes) => {
    const ledgers = [await open(), await open(), await open(), await open()]
    const charged = await Promise.all(ledgers.map((ledger) => fill(ledger, bytes)))
    const sum = charged.reduce((total, one) => total + one)
    expect(sum).toBeGreaterThanOrEqual(1600)
    // Each ledger may use 100 bytes before it reports them.
    expect(sum).toBeLessThanOrEqual(1600 + 4 * 100)
    expect(await ledgers[0]!.charge([other], new Map([[minute(), 1600]]))).toBe(true)
  })

  test('refuse a charge to several accounts as a whole', async () => {
    const ledger = await open()
    expect(await fill(ledger, 100)).toBe(1600)
    const both = new Map([[minute(), 300]])
    for (let count = 0; count < 5; count += 1)
      expect(await ledger.charge([other, account], both)).toBe(false)
    expect(await ledger.charge([other], new Map([[minute(), 1600]]))).toBe(true)
  })

  test('attack: have room for accounts that use little, up to a ceiling', async () => {
    const [one, two] = [await open(), await open()]
    const limit = { waiting: 1_600, hourly: 16_000, smallShare: 0.25 }
    const project = { key: 'p', limit: { waiting: 3_200, hourly: 32_000, ceiling: 1.5 } }
    const charge = async (ledger: Ledger, key: string, bytes: number) =>
      ledger.charge([{ key, limit }, project], new Map([[minute(), bytes]]))
    for (const key of ['a', 'b']) expect(await charge(one, key, 1_600)).toBe(true)
    for (const ledger of [one, two]) expect(await charge(ledger, 'c', 1_500)).toBe(false)
    // The second ledger has not seen this account before.
    expect(await charge(two, 'a', 100)).toBe(false)
    expect([await charge(two, 'd', 400), await charge(one, 'd', 300)]).toEqual([true, false])
    for (const key of ['e', 'f']) expect(await charge(one, key, 400)).toBe(true)
    expect(await charge(two, 'g', 200)).toBe(true)
    expect([await charge(two, 'h', 201), await charge(two, 'h', 200)]).toEqual([false, true])
    expect(await charge(one, 'i', 1)).toBe(false)
  })

  test('can use bytes that another ledger has released', async () => {
    const [one, two] = [await open(), await open()]
    const slot = minute()
    expect(await one.charge([account], new Map([[slot, 1600]]))).toBe(true)
    expect(await two.charge([account], new Map([[slot, 600]]))).toBe(false)
    one.add([account], new Map([[slot, -600]]))
    await expect.poll(() => two.charge([account], new Map([[slot, 600]]))).toBe(true)
    expect(await two.charge([account], new Map([[slot, 100]]))).toBe(false)
  })

  test('apply limits to their local state while Redis is down', async () => {
    const [known, fresh] = [await open(), await open()]
    expect(await known.charge([account], new Map([[minute(), 800]]))).toBe(true)
    await redis.kill()
    expect(await fill(known, 100)).toBe(800)
    expect(await fill(fresh, 100)).toBe(1600)
    // Charges made while Redis was down are reported later.
    await redis.restart()
    const newest = await open()
    await expect.poll(() => newest.charge([account], new Map([[minute(), 200]]))).toBe(false)
  })

  test('attack: count charges and releases once if the replies of Redis are lost', async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port })
    closers.push(() => proxy.stop())
    const ledger = await open(`redis://127.0.0.1:${proxy.port}`)
    const waiting = () => askRedis(redis.port, 'HGET gatefold:budget:a1 waiting')
    const slot = minute()
    // From now on, Redis knows the script, so that one command is enough.
    expect(await ledger.charge([other], new Map([[slot, 1600]]))).toBe(true)
    proxy.mute()
    expect(await ledger.charge([account], new Map([[slot, 1000]]))).toBe(true)
    expect(await waiting()).toContain('1000')
    proxy.cut()
    proxy.mend()
    ledger.add([account], new Map([[slot, 100]]))
    await expect.poll(waiting).toContain('1100')

    proxy.mute()
    ledger.add([account], new Map([[slot, -500]]))
    await expect.poll(waiting).toContain('600')
    proxy.cut()
    proxy.mend()
    ledger.add([account], new Map([[slot, 1]]))
    await expect.poll(waiting).toContain('601')
    const direct = await open()
    expect(await direct.charge([account], new Map([[slot, 1000]]))).toBe(false)
    expect(await direct.charge([account], new Map([[slot, 999]]))).toBe(true)
  })
})
