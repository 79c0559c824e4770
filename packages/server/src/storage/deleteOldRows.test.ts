import { expect, test } from 'vitest'
import { createDatabase, engines } from '../testing/databases.ts'
import { deleteOldRows, deleteSomeOldRows } from './deleteOldRows.ts'
import { openStorage } from './openStorage.ts'

const old = { table: 'verify_attestations', column: 'expires_at', until: 1_000 } as const

/** Opens a database with 1,100 rows that are old, and one that is not. */
async function open(engine: (typeof engines)[number]) {
  const database = await createDatabase(engine)
  const storage = await openStorage(database.config)
  const row = (id: string, expires_at: number) => ({ id, origin: '', is_scam: 0, expires_at })
  const rows = Array.from({ length: 1_100 }, (_, index) => row(`${index}`, 1_000))
  await storage.db
    .insertInto('verify_attestations')
    .values([...rows, row('new', 1_001)])
    .execute()
  return {
    db: storage.db,
    count: async () =>
      (await storage.db.selectFrom('verify_attestations').select('id').execute()).length,
    close: async () => {
      await storage.close()
      await database.remove()
    },
  }
}

test.each(engines)('attack: a statement deletes at most 500 old rows, on %s', async (engine) => {
  const { db, count, close } = await open(engine)
  expect([await deleteSomeOldRows(db, old), await count()]).toEqual([500, 601])
  await deleteOldRows(db, old)
  expect(await db.selectFrom('verify_attestations').select('id').execute()).toEqual([{ id: 'new' }])
  await close()
})

test('attack: other work runs between the batches', async () => {
  const { db, close } = await open('sqlite')
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await deleteOldRows(db, old)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
  await close()
})
