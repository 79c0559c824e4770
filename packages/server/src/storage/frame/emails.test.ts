import { expect, test } from 'vitest'
import { createDatabase, engines } from '../../testing/databases.ts'
import { openStorage } from '../openStorage.ts'
import { listAudit } from './audit.ts'
import { applyChange, undoChange, type StoredChange } from './emails.ts'
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
    // Opens the connections of the pool in advance, so that the changes run
    // concurrently.
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

test('attack: a change of an address that the user no longer has is refused', async () => {
  const storage = await openStorage({ dataDir: ':memory:' })
  const { db } = storage
  const { user } = await ensureUser(db, 'new@example.com', 1)
  const change: StoredChange = {
    id: 'change',
    user_id: user.id,
    device_id: 'device',
    project_id: 'default',
    origin: 'http://localhost:3000',
    old_email: 'old@example.com',
    new_email: 'other@example.com',
    is_primary_verified: 1,
    expires_at: 1_000,
  }
  expect(await applyChange(db, change, undefined)).toBe('outdated')
  expect((await findUser(db, user.id))?.email).toBe('new@example.com')
  await storage.close()
})

test('attack: after the undo of a later change, the owner can still undo an earlier one', async () => {
  const storage = await openStorage({ dataDir: ':memory:' })
  const { db } = storage
  const { user } = await ensureUser(db, 'owner@example.com', 1)
  const common = { user_id: user.id, project_id: 'default', origin: 'http://localhost:3000' }
  const change = async (from: string, to: string, at: number) => {
    const addresses = { old_email: from, new_email: to }
    const pending = { ...common, ...addresses, id: to, device_id: 'device' }
    const undo = { ...common, ...addresses, hash: from, created_at: at, expires_at: 1_000 }
    return applyChange(db, { ...pending, is_primary_verified: 1, expires_at: 1_000 }, undo)
  }
  expect(await change('owner@example.com', 'thief@example.com', 1)).toBe('changed')
  expect(await change('thief@example.com', 'other@example.com', 2)).toBe('changed')
  expect(await undoChange(db, 'thief@example.com', 3)).toBeDefined()
  expect(await undoChange(db, 'owner@example.com', 4)).toBeDefined()
  expect((await findUser(db, user.id))?.email).toBe('owner@example.com')
  expect(await undoChange(db, 'thief@example.com', 5)).toBeUndefined()
  // In the same transaction: after a crash, the link could not be used again.
  expect((await findUser(db, user.id))?.epoch).toBe(3)
  const audit = (await listAudit(db, user.id)).map(({ at, event }) => [at, event])
  expect(audit).toEqual([
    [4, 'email_change_undone'],
    [3, 'email_change_undone'],
  ])
  await storage.close()
})
