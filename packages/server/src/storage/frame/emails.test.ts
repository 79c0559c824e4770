import { expect, test } from 'vitest'
import { createDatabase, engines } from '../../testing/databases.ts'
import { openStorage } from '../openStorage.ts'
import { applyChange, type StoredChange } from './emails.ts'
import { ensureUser, findUser } from './users.ts'

test.each(engines)(
  'attack: of users who change to the same address at the same time, one gets it, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    const { db } = storage
    const changes: StoredChange[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const { user } = await ensureUser(db, `${name}@example.com`, 1)
      changes.push({
        id: name,
        user_id: user.id,
        device_id: 'device',
        project_id: 'default',
        origin: 'http://localhost:3000',
        old_email: user.email,
        new_email: 'same@example.com',
        is_primary_verified: 1,
        expires_at: 1_000,
      })
    }
    // Opens the connections of the pool, so that the changes meet.
    await Promise.all(changes.map(async ({ user_id }) => findUser(db, user_id)))
    const outcomes = await Promise.all(
      changes.map(async (change) => applyChange(db, change, undefined)),
    )
    expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(3)
    await storage.close()
    await database.remove()
  },
)
