import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import {
  addOrder,
  changeOrder,
  countUnpaidOrders,
  deleteOrders,
  expireOrders,
  findOrder,
  listDueOrders,
  releaseEvent,
  useEvent,
  type StoredOrder,
} from './onramp.ts'
import { openStorage, type Storage } from './openStorage.ts'

const order: StoredOrder = {
  id: 'a',
  projectId: 'book',
  client: 'client',
  provider: 'sandbox',
  status: 'created',
  step: '',
  reason: '',
  chainId: 'eip155:31337',
  account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  symbol: 'ETH',
  paymentCurrency: 'USD',
  paymentTotal: '100.00',
  fee: '1.50',
  networkFee: '0.00',
  purchaseAmount: '0.035',
  receivedAmount: '',
  transactionHash: '',
  reference: '',
  returnUrl: 'https://book.example/',
  url: '',
  dueAt: 1_000,
  createdAt: 1_000,
  updatedAt: 1_000,
  expiresAt: 2_000,
}

describe.each(engines)('orders on %s', (engine) => {
  let database: TestDatabase
  let storage: Storage
  beforeEach(async () => {
    database = await createDatabase(engine)
    storage = await openStorage(database.config)
  })
  afterEach(async () => {
    await storage.close()
    await database.remove()
  })

  test('keep every value', async () => {
    const { db } = storage
    const full = { ...order, step: 's', reason: 'r', receivedAmount: '1', transactionHash: '0x1' }
    await addOrder(db, full)
    expect(await findOrder(db, 'a')).toEqual(full)
    expect(await findOrder(db, 'b')).toBe(undefined)
  })

  test('of several changes with the same expectation, one succeeds', async () => {
    const { db } = storage
    await addOrder(db, order)
    const changes = await Promise.all(
      [1, 2, 3, 4].map(async (number) =>
        changeOrder(
          db,
          'a',
          { status: ['created'], step: '', payableAt: 1_500 },
          { status: 'pending', reference: String(number) },
          1_500,
        ),
      ),
    )
    expect(changes.filter(Boolean)).toHaveLength(1)
    const late = { status: ['pending'], reference: 'other' } as const
    expect(await changeOrder(db, 'a', late, { status: 'paid' }, 1_600)).toBe(undefined)
  })

  test('that are due first come first', async () => {
    const { db } = storage
    for (const dueAt of [1_300, 1_100, 1_400, 1_200])
      await addOrder(db, { ...order, id: `due ${dueAt}`, status: 'pending', dueAt })
    const due = await listDueOrders(db, 'sandbox', 1_300, 2)
    expect(due.map(({ id }) => id)).toEqual(['due 1100', 'due 1200'])
  })

  test('expire, no longer count, and are deleted', async () => {
    const { db } = storage
    await addOrder(db, order)
    await addOrder(db, { ...order, id: 'b', status: 'paid', updatedAt: 5_000 })
    expect(await countUnpaidOrders(db, { client: 'client' }, 1_999)).toBe(1)
    expect(await countUnpaidOrders(db, { projectId: 'book' }, 1_999)).toBe(1)
    expect(await countUnpaidOrders(db, { projectId: 'book' }, 2_000)).toBe(0)
    await expireOrders(db, 2_000)
    expect(await findOrder(db, 'a')).toMatchObject({ status: 'expired', updatedAt: 2_000 })
    await deleteOrders(db, 2_000, 2_000)
    expect(await findOrder(db, 'a')).toBe(undefined)
    expect(await findOrder(db, 'b')).toMatchObject({ status: 'paid' })
  })

  test('a webhook is marked once, until its mark is released or expires', async () => {
    const { db } = storage
    const uses = await Promise.all([1, 2, 3].map(async () => useEvent(db, 'e', 2_000)))
    expect(uses.filter(Boolean)).toHaveLength(1)
    await releaseEvent(db, 'e')
    expect(await useEvent(db, 'e', 2_000)).toBe(true)
    await deleteOrders(db, 0, 2_000)
    expect(await useEvent(db, 'e', 3_000)).toBe(true)
  })
})
