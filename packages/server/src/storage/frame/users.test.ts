import { expect, test } from 'vitest'
import { createDatabase, engines } from '../../testing/databases.ts'
import { openStorage } from '../openStorage.ts'
import {
  addSession,
  ensureUser,
  findSession,
  listDevices,
  rotateTokens,
  saveDevice,
} from './users.ts'

test.each(engines)(
  'attack: of parallel uses of a refresh token, one rotates the tokens, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    const { db } = storage
    const { user } = await ensureUser(db, 'ada@example.com', 1)
    const session = {
      id: 'session',
      user_id: user.id,
      device_id: 'device',
      project_id: 'default',
      origin: 'http://localhost:3000',
      epoch: user.epoch,
      access_hash: 'access',
      access_expires_at: 1_000,
      logged_in_at: 1,
      needs_code: 0,
      expires_at: 2_000,
    }
    await addSession(db, session, { hash: 'refresh', expires_at: 2_000 })
    const rotations = await Promise.all(
      ['a', 'b', 'c'].map(async (name) =>
        rotateTokens(db, 'refresh', {
          sessionId: session.id,
          accessHash: `access ${name}`,
          accessExpiresAt: 1_000,
          refresh: { hash: `refresh ${name}`, expires_at: 2_000 },
        }),
      ),
    )
    expect(rotations.filter(Boolean)).toHaveLength(1)
    const winner = ['a', 'b', 'c'][rotations.indexOf(true)]
    expect(await findSession(db, `access ${winner}`, 2)).toBeDefined()
    expect(await findSession(db, 'access', 2)).toBeUndefined()
    await storage.close()
    await database.remove()
  },
)

test('a later login without a link does not make a confirmed device unconfirmed', async () => {
  const storage = await openStorage({ dataDir: ':memory:' })
  const { db } = storage
  const { user } = await ensureUser(db, 'ada@example.com', 1)
  const device = { id: 'device', user_id: user.id, name: 'Mac', origin: 'http://localhost:3000' }
  expect(await saveDevice(db, { ...device, confirmed_at: 1, now: 1 })).toBe(true)
  expect(await saveDevice(db, { ...device, confirmed_at: null, now: 2 })).toBe(false)
  expect(await listDevices(db, user.id)).toMatchObject([{ confirmed_at: 1, last_used_at: 2 }])
  await storage.close()
})
