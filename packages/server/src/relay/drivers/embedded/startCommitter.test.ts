import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStorage } from '../../../storage/openStorage.ts'
import { createDatabase, engines, type TestDatabase } from '../../../testing/databases.ts'
import type { StoredMessage } from '../RelayDriver.ts'
import type { Write } from './commitWrites.ts'
import type { Committer } from './createCommitter.ts'
import { startCommitter } from './startCommitter.ts'

let database: TestDatabase
let committer: Committer
let lastSeq = 0

const topic = 'ab'.repeat(32)

function publishOf(message: Partial<StoredMessage> = {}): Write {
  lastSeq += 1
  const fresh = {
    topic,
    id: String(lastSeq),
    seq: lastSeq,
    message: 'envelope',
    attestation: undefined,
    tag: 1108,
    publisher: 'app',
    publishedAt: 1,
    expiresAt: 300_000,
    ...message,
  }
  return { kind: 'publish', messages: [fresh] }
}

describe.each(engines)('%s', (engine) => {
  beforeEach(async () => {
    database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    await storage.close()
    committer = startCommitter(database.config)
  })
  afterEach(async () => {
    await committer.close()
    await database.remove()
  })

  test('a commit returns each write’s outcome and the `seq` of the new messages', async () => {
    const write = publishOf()
    const [subscribe, again] = [{ kind: 'subscribe', clientId: 'w', topics: [topic] }, publishOf()]
    expect(await committer.commit([write, subscribe as Write, again], 2, false)).toEqual({
      results: [['stored'], undefined, ['stored']],
      stored: [lastSeq - 1, lastSeq],
      dropped: [],
    })
    expect(await committer.commit([publishOf({ id: String(lastSeq) })], 3, false)).toEqual({
      results: [['known']],
      stored: [],
      dropped: [],
    })
    expect(await committer.sweep(3)).toBe(false)
  })

  test('commits that follow a failed commit fail, until a commit that follows none', async () => {
    // The table rejects a missing value.
    const bad = committer.commit([publishOf({ tag: null as never })], 2, false)
    const following = committer.commit([publishOf()], 2, true)
    const code = engine === 'sqlite' ? 'ERR_SQLITE_ERROR' : '23502'
    await expect(bad).rejects.toMatchObject({ message: expect.stringMatching(/null/i), code })
    await expect(following).rejects.toThrow('the previous commit failed')
    await expect(committer.commit([publishOf()], 2, true)).rejects.toThrow(
      'the previous commit failed',
    )
    expect(await committer.commit([publishOf()], 2, false)).toMatchObject({
      stored: [lastSeq],
      dropped: [],
    })
    expect(await committer.commit([publishOf()], 2, true)).toMatchObject({
      stored: [lastSeq],
      dropped: [],
    })
  })

  test('commits and sweeps use the given time', async () => {
    const storage = await openStorage(database.config)
    const subscribe: Write = { kind: 'subscribe', clientId: 'wallet', topics: [topic] }
    await committer.commit([subscribe, publishOf()], 7, false)
    const subscriptions = storage.db.selectFrom('relay_subscriptions').select('subscribed_at')
    const messages = storage.db.selectFrom('relay_messages').select('id')
    expect(await subscriptions.execute()).toEqual([{ subscribed_at: 7 }])
    await committer.sweep(299_999)
    expect(await messages.execute()).toEqual([{ id: String(lastSeq) }])
    await committer.sweep(24 * 60 * 60_000)
    expect(await messages.execute()).toEqual([])
    await storage.close()
  })
})

test('close() waits until the thread has ended, and SQLite has merged its write-ahead log', async () => {
  database = await createDatabase('sqlite')
  const { dataDir } = database.config
  const storage = await openStorage(database.config)
  await storage.close()
  const files = readdirSync(dataDir)
  committer = startCommitter(database.config)
  // No thread has started yet.
  await committer.close()
  await committer.commit([publishOf()], 2, false)
  expect(readdirSync(dataDir).length).toBeGreaterThan(files.length)
  await committer.close()
  expect(readdirSync(dataDir)).toEqual(files)
  await database.remove()
})

test('a thread that cannot start reports why, and the next call starts another', async () => {
  database = await createDatabase('sqlite')
  const dataDir = `${database.config.dataDir}/data`
  writeFileSync(dataDir, 'a file where the folder should be')
  committer = startCommitter({ dataDir })
  await expect(committer.sweep(1)).rejects.toThrow(/EEXIST|ENOTDIR/)
  rmSync(dataDir)
  const storage = await openStorage({ dataDir })
  await storage.close()
  expect(await committer.sweep(1)).toBe(false)
  await committer.close()
  await database.remove()
})
