import { expect, test } from 'vitest'
import { createDatabase, engines } from '../testing/databases.ts'
import { openStorage } from './openStorage.ts'
import { maxWatches, saveWatch } from './relayWatches.ts'

test.each(engines)(
  'attack: concurrent registrations of a client do not exceed its maximum of watches, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    const { db } = storage
    const watch = (index: number) => ({
      client_id: 'service',
      kind: 'subscriber',
      webhook: `https://push.example/${index}`,
      tags: '[]',
      statuses: '[]',
      expires_at: 1,
    })
    const stored = Array.from({ length: maxWatches - 1 }, (_, index) => watch(index))
    await db.insertInto('relay_watches').values(stored).execute()
    // Opens the connections of the pool in advance, so that the registrations run concurrently.
    await Promise.all(Array.from({ length: 8 }, () => storage.ping()))
    const saved = await Promise.all(
      Array.from({ length: 8 }, (_, index) => saveWatch(db, watch(maxWatches + index))),
    )
    expect(saved.filter(Boolean)).toHaveLength(1)
    await storage.close()
    await database.remove()
  },
)
