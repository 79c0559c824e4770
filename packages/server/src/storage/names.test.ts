import { limits } from '@gatefold/protocol'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../testing/databases.ts'
import { lockOwner, registerName, type Name } from './names.ts'
import { openStorage, type Storage } from './openStorage.ts'

let database: TestDatabase
let storage: Storage
beforeEach(async () => {
  // SQLite allows one writer.
  database = await createDatabase('postgres')
  storage = await openStorage(database.config)
})
afterEach(async () => {
  await storage?.close()
  await database?.remove()
})

function name(label: string): Omit<Name, 'updatedAt'> {
  const zone = 'my-site.eth'
  const rest = { addresses: {}, attributes: {}, signedAt: 1, registeredAt: 1 }
  return { name: `${label}.${zone}`, zone, owner: '0x1', ownerChain: '', ...rest }
}

test('attack: a registration waits for another one of the same account, and counts its name', async () => {
  const { db } = storage
  for (let index = 1; index < limits.namesPerAccount; index += 1)
    await registerName(db, name(`name-${index}`))
  const waiting = async () => {
    const { rows } =
      await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db)
    return rows.length === 1
  }
  let second: Promise<string> | undefined
  let isSettled = false
  await db.transaction().execute(async (first) => {
    await lockOwner(first, '0x1')
    second = registerName(db, name('second')).finally(() => (isSettled = true))
    await expect.poll(async () => isSettled || (await waiting())).toBe(true)
    const { signedAt, registeredAt, ownerChain, ...row } = name('first')
    await first
      .insertInto('names')
      .values({
        ...row,
        owner_chain: ownerChain,
        addresses: '{}',
        attributes: '{}',
        signed_at: signedAt,
        registered_at: registeredAt,
        updated_at: registeredAt,
      })
      .execute()
  })
  expect(await second).toBe('full')
})
