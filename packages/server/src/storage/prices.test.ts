import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import { openStorage, type Storage } from './openStorage.ts'
import { addPriceSamples, deletePriceSamples, listPriceSamples } from './prices.ts'

describe.each(engines)('samples of prices on %s', (engine) => {
  let database: TestDatabase
  let storage: Storage
  beforeEach(async () => {
    database = await createDatabase(engine)
    storage = await openStorage(database.config)
  })
  afterEach(async () => {
    await storage?.close()
    await database?.remove()
  })

  const sample = (step: number, price: number, more: object = {}) => ({
    chain: 'eip155:1',
    token: '0xa',
    period: 'day' as const,
    step,
    at: step + 1,
    price,
    ...more,
  })
  const list = async (since = 0) =>
    listPriceSamples(storage.db, { chain: 'eip155:1', token: '0xa', period: 'day', since })

  test('are one for each step, the first of all processes', async () => {
    await addPriceSamples(storage.db, [
      sample(1_000, 2_500.25),
      sample(1_000, 1, { period: 'week' }),
    ])
    await addPriceSamples(storage.db, [sample(1_000, 9), sample(2_000, 1e-9)])
    await addPriceSamples(storage.db, [sample(3_000, 3, { chain: 'eip155:10' })])
    expect(await list()).toEqual([
      { step: 1_000, at: 1_001, price: 2_500.25 },
      { step: 2_000, at: 2_001, price: 1e-9 },
    ])
    expect(await list(1_001)).toHaveLength(1)
  })

  test('are deleted by period and age', async () => {
    await addPriceSamples(storage.db, [
      sample(1_000, 1),
      sample(2_000, 2),
      sample(1_000, 3, { period: 'month' }),
    ])
    await deletePriceSamples(storage.db, 'day', 2_000)
    expect(await list()).toEqual([{ step: 2_000, at: 2_001, price: 2 }])
    const rows = await storage.db.selectFrom('price_samples').selectAll().execute()
    expect(rows).toHaveLength(2)
  })
})
