import { expect, test } from 'vitest'
import { createDatabase, engines } from '../../testing/databases.ts'
import { openStorage } from '../openStorage.ts'
import { listAudit } from './audit.ts'
import { applyChange, findChange, replaceChange, undoChange, type StoredChange } from './emails.ts'
import { ensureUser, findUser } from './users.ts'

/** A change of the address of a user that is pending until 1,000. */
const changeOf = (user_id: string, more: Partial<StoredChange>): StoredChange => ({
  id: 'change',
  user_id,
  device_id: 'device',
  project_id: 'default',
  origin: 'http://localhost:3000',
  old_email: 'old@example.com',
  new_email: 'new@example.com',
  is_primary_verified: 1,
  expires_at: 1_000,
  ...more,
})

test.each(engines)(
  'attack: of users who change to the same address at the same time, one gets it, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    const { db } = storage
    const changes: StoredChange[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const { user } = await ensureUser(db, `${name}@example.com`, 1)
      const emails = { old_email: user.email, new_email: 'same@example.com' }
      changes.push(changeOf(user.id, { id: name, ...emails }))
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
  const change = changeOf(user.id, { new_email: 'other@example.com' })
  expect(await applyChange(db, change, undefined)).toBe('outdated')
  expect((await findUser(db, user.id))?.email).toBe('new@example.com')
  await storage.close()
})

test('attack: a change is found only on its device, in its account and before it expires', async () => {
  const storage = await openStorage({ dataDir: ':memory:' })
  const { db } = storage
  const { user } = await ensureUser(db, 'old@example.com', 1)
  const change = changeOf(user.id, {})
  await replaceChange(db, change)
  const wanted = { id: 'change', userId: user.id, deviceId: 'device', now: 999 }
  expect(await findChange(db, wanted)).toEqual(change)
  for (const other of [{ userId: 'other' }, { deviceId: 'other' }, { id: 'other' }, { now: 1_000 }])
    expect(await findChange(db, { ...wanted, ...other })).toBeUndefined()
  await storage.close()
})

test.each(engines)(
  'attack: an address that is taken for a while does not use up the link to undo a change, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    const { db } = storage
    const { user } = await ensureUser(db, 'new@example.com', 1)
    const { user: thief } = await ensureUser(db, 'old@example.com', 1)
    const undo = { hash: 'link', user_id: user.id, created_at: 1, expires_at: 1_000 }
    const addresses = { old_email: 'old@example.com', new_email: 'new@example.com' }
    const page = { project_id: 'default', origin: 'http://localhost:3000' }
    await db
      .insertInto('frame_email_undos')
      .values({ ...undo, ...addresses, ...page })
      .execute()
    expect(await undoChange(db, 'link', 2)).toBeUndefined()
    const move = db.updateTable('frame_users').set({ email: 'gone@example.com' })
    await move.where('id', '=', thief.id).execute()
    expect(await undoChange(db, 'link', 3)).toBeDefined()
    expect((await findUser(db, user.id))?.email).toBe('old@example.com')
    expect(await undoChange(db, 'link', 4)).toBeUndefined()
    await storage.close()
    await database.remove()
  },
)

test('a change is undone although the user has the old address again', async () => {
  const storage = await openStorage({ dataDir: ':memory:' })
  const { db } = storage
  const { user } = await ensureUser(db, 'old@example.com', 1)
  const common = { user_id: user.id, project_id: 'default', origin: 'http://localhost:3000' }
  const addresses = { old_email: 'old@example.com', new_email: 'new@example.com' }
  const undo = { ...common, ...addresses, hash: 'link', created_at: 1, expires_at: 1_000 }
  await db.insertInto('frame_email_undos').values(undo).execute()
  expect(await undoChange(db, 'link', 2)).toBeDefined()
  expect(await findUser(db, user.id)).toMatchObject({ email: 'old@example.com', epoch: 2 })
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
