import { limits } from '@gatefold/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../../testing/databases.ts'
import { openStorage, type Storage } from '../openStorage.ts'
import { addCode, claimCode, markUsed, replaceLogin, takeUse, tryCode } from './codes.ts'

describe.each(engines)('codes on %s', (engine) => {
  let database: TestDatabase
  let storage: Storage
  beforeEach(async () => {
    database = await createDatabase(engine)
    storage = await openStorage(database.config)
    const code = { id: 'a', purpose: 'login', device_id: 'd', hash: 'right', expires_at: 1_000 }
    await addCode(storage.db, code)
  })
  afterEach(async () => {
    await storage.close()
    await database.remove()
  })

  const guess = async (...hashes: string[]) =>
    tryCode(storage.db, { id: 'a', purpose: 'login', deviceId: 'd', hashes, now: 999 })

  test('attack: a code is accepted once, even if it is sent several times at once', async () => {
    const results = await Promise.all([guess('right'), guess('right'), guess('right')])
    expect(results.filter((result) => result?.isRight)).toHaveLength(1)
    expect(await guess('right')).toBe(undefined)
  })

  test('attack: a code has three attempts, even if they arrive at once', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, async () => guess('x', 'y')))
    const left = results.flatMap((result) => result?.triesLeft ?? [])
    expect(new Set(left)).toEqual(new Set([2, 1, 0]))
    expect(left).toHaveLength(limits.codeTries)
    expect(await guess('right')).toBe(undefined)
  })

  test('attack: a code is refused on another device, for another purpose, and once it has expired', async () => {
    const right = { id: 'a', purpose: 'login', deviceId: 'd', hashes: ['right'], now: 999 }
    for (const change of [
      { id: 'b' },
      { purpose: 'email-primary' },
      { deviceId: 'e' },
      { now: 1_000 },
    ])
      expect(await tryCode(storage.db, { ...right, ...change })).toBe(undefined)
    expect(await tryCode(storage.db, right)).toEqual({ isRight: true, triesLeft: 2 })
  })

  test('a code is accepted whichever of the server’s keys hashed it', async () => {
    expect(await guess('other', 'right')).toEqual({ isRight: true, triesLeft: 2 })
  })

  test('attack: the code of a login is mailed once, and only after the login was confirmed', async () => {
    const login = {
      id: 'login',
      device_id: 'd',
      device_name: 'Mac',
      email: 'ada@example.com',
      project_id: 'default',
      origin: 'http://localhost:3000',
      link_hash: 'link',
      code_sent_at: null,
      expires_at: 1_000,
    }
    const claim = async () => claimCode(storage.db, 'login', { now: 2, expiresAt: 2_000 })
    await replaceLogin(storage.db, { ...login, confirmed_at: null })
    expect(await claim()).toBe(false)
    await replaceLogin(storage.db, { ...login, confirmed_at: 1 })
    expect((await Promise.all([claim(), claim()])).filter(Boolean)).toHaveLength(1)
    expect(await claim()).toBe(false)
  })

  test('attack: concurrent uses do not exceed a limit', async () => {
    const use = { key: 'k', max: 3, windowMs: 1_000, gapMs: 0 }
    const take = async (now: number) => takeUse(storage.db, { ...use, now })
    await take(0)
    const results = await Promise.all(Array.from({ length: 10 }, async () => take(500)))
    expect(results.filter(({ waitMs }) => waitMs === 0)).toHaveLength(2)
    // No window of one second contains more than three uses.
    expect(await take(999)).toEqual({ waitMs: 1, isGap: false })
    expect(await take(1_000)).toEqual({ waitMs: 0, isGap: false })
    expect(await take(1_000)).toEqual({ waitMs: 500, isGap: false })
  })

  test('attack: an id is used once, even if it is sent several times at once', async () => {
    const uses = await Promise.all([1, 2, 3].map(async () => markUsed(storage.db, 'x', 1_000)))
    expect(uses.filter(Boolean)).toHaveLength(1)
  })
})
