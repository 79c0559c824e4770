import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase } from '../testing/databases.ts'
import { openStorage, type Storage } from './openStorage.ts'
import { ensureDefaultProject, listProjects } from './projects.ts'

let storage: Storage
beforeEach(async () => {
  storage = await openStorage({ dataDir: ':memory:' })
})
afterEach(() => storage.close())

test('concurrent transactions run one after the other, first in, first out', async () => {
  const steps: string[] = []
  const runs = [1, 2, 3, 4].map((number) =>
    storage.db.transaction().execute(async (transaction) => {
      steps.push(`${number} begins`)
      await sql`select 1`.execute(transaction)
      await turn()
      if (number === 2) throw new Error('from the job')
      steps.push(`${number} ends`)
    }),
  )
  const later = sql`select 1`.execute(storage.db).then(() => steps.push('a query'))
  const outcomes = await Promise.allSettled([...runs, later])
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    true,
  ])
  expect(steps).toEqual([
    '1 begins',
    '1 ends',
    '2 begins',
    '3 begins',
    '3 ends',
    '4 begins',
    '4 ends',
    'a query',
  ])
  expect((await sql`select 2 as two`.execute(storage.db)).rows).toEqual([{ two: 2 }])
})

test('while another connection writes, a statement waits without blocking the thread', async () => {
  const database = await createDatabase('sqlite')
  const [one, other] = [await openStorage(database.config), await openStorage(database.config)]
  try {
    const released = Promise.withResolvers<void>()
    const holding = one.db.transaction().execute(() => released.promise)
    await turn()
    const written = vi.fn<() => void>()
    const writing = ensureDefaultProject(other.db, 1).then(written)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(written).not.toHaveBeenCalled()
    released.resolve()
    await Promise.all([holding, writing])
    expect(await listProjects(one.db)).toHaveLength(1)
    // SQLite's busy timeout would block the thread.
    expect((await sql`pragma busy_timeout`.execute(one.db)).rows).toEqual([{ timeout: 0 }])
  } finally {
    await Promise.all([one.close(), other.close()])
    await database.remove()
  }
})
