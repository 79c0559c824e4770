import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertMessages, lockWriters, toDigest } from '../../../storage/relay.ts'
import { openStorage } from '../../../storage/openStorage.ts'
import { createDatabase } from '../../../testing/databases.ts'
import { createEmbeddedDriver } from './createEmbeddedDriver.ts'

test('waits until PostgreSQL has ended a killed relay’s transaction', async () => {
  const database = await createDatabase('postgres')
  const [killed, storage] = await Promise.all([
    openStorage(database.config),
    openStorage(database.config),
  ])
  const commit = Promise.withResolvers<void>()
  try {
    const now = Date.now()
    const message = 'sent again, since the relay died before it answered'
    const name = { topic: 'ab'.repeat(32), id: hash('sha256', message) }
    const row = {
      ...name,
      digest: toDigest(name),
      seq: now * 1000,
      message,
      bytes: message.length,
      attestation: null,
      tag: 1108,
      publisher: 'app',
      published_at: now,
      expires_at: now + 300_000,
      forget_at: now + 600_000,
      charge: '',
    }
    const written = Promise.withResolvers<void>()
    const ending = killed.db.transaction().execute(async (transaction) => {
      await lockWriters(transaction)
      await insertMessages(transaction, [row], new Map())
      written.resolve()
      await commit.promise
    })
    await written.promise

    const events = { onMessages: () => {}, onGap: () => {} }
    const starting = createEmbeddedDriver({ storage, now: Date.now, ...events })
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted`
    await expect.poll(async () => (await waiting.execute(killed.db)).rows[0]?.count).toBe(1)
    commit.resolve()
    await ending

    const driver = await starting
    const again = { ...name, message, attestation: undefined, tag: 1108, publisher: 'app' }
    expect(await driver.publish([{ ...again, ttlSeconds: 300 }])).toEqual(['known'])
    await driver.close()
  } finally {
    commit.resolve()
    await Promise.all([killed.close(), storage.close()])
    await database.remove()
  }
})
