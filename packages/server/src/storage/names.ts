import { limits } from '@gatefold/protocol'
import type { NameAttributes } from '@gatefold/protocol/gateway'
import { PostgresAdapter, sql, type Kysely } from 'kysely'
import type { Database, NamesTable } from './Database.ts'

/** A registered name. */
export type Name = {
  /** Lower case, with its zone. */
  name: string
  zone: string
  /** The address that signs changes, lower case. */
  owner: string
  /**
   * Empty if the owner is a key. Otherwise the CAIP-2 id of the chain whose contract at the address signs, because the
   * same address can have another contract on another chain.
   */
  ownerChain: string
  /** By coin type. */
  addresses: Record<string, string>
  attributes: NameAttributes
  /** Unix time in seconds of the last signed message. */
  signedAt: number
  /** Unix time in ms. */
  registeredAt: number
  /** Unix time in ms. */
  updatedAt: number
}

/**
 * Registers a name, unless it is registered or its owner has the maximum number of names. Of several processes that
 * register the same name, one succeeds.
 */
export async function registerName(
  db: Kysely<Database>,
  name: Omit<Name, 'updatedAt'>,
): Promise<'registered' | 'taken' | 'full'> {
  return db.transaction().execute(async (transaction) => {
    await lockOwner(transaction, name.owner)
    const { count } = await transaction
      .selectFrom('names')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner', '=', name.owner)
      .where('owner_chain', '=', name.ownerChain)
      .executeTakeFirstOrThrow()
    if (count >= limits.namesPerAccount) return 'full'
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('names')
      .values(toRow({ ...name, updatedAt: name.registeredAt }))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n ? 'registered' : 'taken'
  })
}

/** The first key of advisory locks; the second is a hash of an owner. */
const ownersLock = 7_263_519

/**
 * Locks out other registrations of an owner until the transaction ends, so that two of them cannot exceed the limit
 * together. SQLite allows one writer.
 */
export async function lockOwner(transaction: Kysely<Database>, owner: string): Promise<void> {
  if (transaction.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_advisory_xact_lock(${ownersLock}, hashtext(${owner}))`.execute(transaction)
}

export async function findName(db: Kysely<Database>, name: string): Promise<Name | undefined> {
  const row = await db.selectFrom('names').selectAll().where('name', '=', name).executeTakeFirst()
  return row && fromRow(row)
}

/** Returns which of the given names are registered. */
export async function findTaken(db: Kysely<Database>, names: string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('names').select('name').where('name', 'in', names).execute()
  return new Set(rows.map(({ name }) => name))
}

/** The names of an owner in some zones: those of its key first, and the oldest first. */
export async function listNames(
  db: Kysely<Database>,
  owner: string,
  zones: readonly string[],
): Promise<Name[]> {
  const rows = await db
    .selectFrom('names')
    .selectAll()
    .where('owner', '=', owner)
    .where('zone', 'in', zones)
    .orderBy('owner_chain')
    .orderBy('registered_at')
    .orderBy('name')
    .limit(maxListed)
    .execute()
  return rows.map(fromRow)
}

/** An address may own names on many chains. */
const maxListed = 50

/**
 * Replaces records of a name; absent records do not change.
 *
 * @returns false if the name was removed, or if a message with the same or a later time was applied before.
 */
export async function updateName(
  db: Kysely<Database>,
  changes: Pick<Name, 'name' | 'signedAt' | 'updatedAt'> &
    Partial<Record<'addresses' | 'attributes', object | undefined>>,
): Promise<boolean> {
  const { addresses, attributes, signedAt } = changes
  const { numUpdatedRows } = await db
    .updateTable('names')
    .set({
      ...(addresses && { addresses: JSON.stringify(addresses) }),
      ...(attributes && { attributes: JSON.stringify(attributes) }),
      signed_at: signedAt,
      updated_at: changes.updatedAt,
    })
    .where('name', '=', changes.name)
    .where('signed_at', '<', signedAt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns whether the name was registered. */
export async function removeName(db: Kysely<Database>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('names')
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * The private key that signs answers to resolver contracts. All processes on one database share it.
 *
 * @param create - creates a key, which is stored if there is none.
 */
export async function readSignerKey(
  db: Kysely<Database>,
  create: () => `0x${string}`,
): Promise<`0x${string}`> {
  const read = async () =>
    db.selectFrom('name_signer').select('private_key').where('id', '=', 1).executeTakeFirst()
  let row = await read()
  if (!row) {
    await db
      .insertInto('name_signer')
      .values({ id: 1, private_key: create() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    // Another process may have stored its key first.
    row = await read()
  }
  return row!.private_key as `0x${string}`
}

export async function replaceSignerKey(db: Kysely<Database>, key: `0x${string}`) {
  await db
    .insertInto('name_signer')
    .values({ id: 1, private_key: key })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ private_key: key }))
    .execute()
}

function toRow(name: Name): NamesTable {
  return {
    name: name.name,
    zone: name.zone,
    owner: name.owner,
    owner_chain: name.ownerChain,
    addresses: JSON.stringify(name.addresses),
    attributes: JSON.stringify(name.attributes),
    signed_at: name.signedAt,
    registered_at: name.registeredAt,
    updated_at: name.updatedAt,
  }
}

function fromRow(row: NamesTable): Name {
  return {
    name: row.name,
    zone: row.zone,
    owner: row.owner,
    ownerChain: row.owner_chain,
    addresses: JSON.parse(row.addresses) as Name['addresses'],
    attributes: JSON.parse(row.attributes) as NameAttributes,
    signedAt: row.signed_at,
    registeredAt: row.registered_at,
    updatedAt: row.updated_at,
  }
}
