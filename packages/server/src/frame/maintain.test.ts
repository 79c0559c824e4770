import { limits } from '@gatefold/protocol'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pageOrigin, testSet } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame } from '../testing/createTestFrame.ts'
import { createDatabase, engines } from '../testing/databases.ts'

test.each(engines)(
  'expired rows and abandoned sets are deleted, and the wallet is kept, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const clock = createClock()
    const frame = await createTestFrame(database.config, { now: clock.now })
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const [kept, abandoned] = [testSet(), testSet()]
    await device.createWallet(session, kept)
    await device.post('/api/wallet/stage', abandoned, session)
    await device.requestCode('bob@example.com')
    clock.advance(30)
    const email = { email: 'new@example.com', origin: pageOrigin }
    await device.post('/api/email/change', email, session)
    clock.advance(limits.refreshTokenSeconds + 3600)
    frame.startJobs()

    const { db } = frame.context.storage
    const count = async (table: string) => {
      const query = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`
      return (await query.execute(db)).rows[0]?.count
    }
    const tables = [
      'logins',
      'codes',
      'limits',
      'used',
      'sessions',
      'refresh_tokens',
      'email_changes',
    ]
    const counts = async () => Promise.all(tables.map(async (name) => count(`frame_${name}`)))
    await expect.poll(counts).toEqual(tables.map(() => 0))
    const setIds = async () =>
      (await db.selectFrom('frame_auth_shares').select('set_id').execute()).map(
        ({ set_id }) => set_id,
      )
    await expect.poll(setIds).toEqual([kept.setId])
    expect((await device.login('ada@example.com')).user.wallet?.setId).toBe(kept.setId)
    await frame.stop()
    await database.remove()
  },
)
