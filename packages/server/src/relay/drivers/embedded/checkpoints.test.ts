import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openStorage } from '../../../storage/openStorage.ts'
import { createDatabase } from '../../../testing/databases.ts'
import { createEmbeddedDriver } from './createEmbeddedDriver.ts'

const mib = 1024 * 1024
const events = { onMessages: () => {}, onGap: () => {} }

function messageOn(topic: string, message: string) {
  return {
    topic,
    id: 'one',
    message,
    attestation: undefined,
    tag: 1108,
    publisher: 'app',
    ttlSeconds: 300,
  }
}

test('the write-ahead log of SQLite is copied before a commit has to', async () => {
  const database = await createDatabase('sqlite')
  const storage = await openStorage(database.config)
  try {
    const driver = await createEmbeddedDriver({ storage, now: Date.now, ...events })
    // 8 MB, of the 32 MB at which a commit copies it.
    for (let index = 0; index < 8; index += 1)
      await driver.publish([messageOn(`${index}`.repeat(64), 'x'.repeat(mib))])
    const inspect = sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`
    const countWaiting = async () => {
      const [{ log, checkpointed }] = (await inspect.execute(storage.db)).rows as [
        { log: number; checkpointed: number },
      ]
      return log - checkpointed
    }
    await expect.poll(countWaiting).toBeLessThan(1_000)
    await driver.close()
  } finally {
    await storage.close()
    await database.remove()
  }
})

test('a database in memory has no log, and no thread opens one', async () => {
  const storage = await openStorage({ dataDir: ':memory:' })
  const onError = vi.fn<(error: unknown) => void>()
  const driver = await createEmbeddedDriver({ storage, now: Date.now, ...events, onError })
  expect(await driver.publish([messageOn('ab'.repeat(32), 'text')])).toEqual(['stored'])
  // Waits for the threads, which would report that they cannot open a file.
  await driver.close()
  await storage.close()
  expect(onError).not.toHaveBeenCalled()
})
