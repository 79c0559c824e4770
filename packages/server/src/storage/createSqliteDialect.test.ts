import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage, type Storage } from './openStorage.ts'

let storage: Storage
beforeEach(async () => {
  storage = await openStorage({ dataDir: ':memory:' })
})
afterEach(() => storage.close())

test('transactions at once run whole, one after the other, in the order of asking', async () => {
  const steps: string[] = []
  const runs = [1, 2, 3, 4].map((number) =>
    storage.db.transaction().execute(async (transaction) => {
      steps.push(`${number} begins`)
      await sql`select 1`.execute(transaction)
      await turn()
      if (number === 2) throw new Error('of its own')
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
