import { generateKeyPairSync } from 'node:crypto'
import { PostgresAdapter, sql, type Kysely } from 'kysely'
import type { Database, RelayWatchesTable } from './Database.ts'
import { deleteOldRows } from './deleteOldRows.ts'

/** Maximum number of watches per client. */
export const maxWatches = 100
/** Registrations that one address can make at once, and per hour after that, because any client can create keys. */
export const watchBurst = 500
export const watchesPerHour = 100

/**
 * Stores a watch. It replaces an earlier one with the same client, kind and webhook.
 *
 * @returns false if the client already has the maximum number of other watches.
 */
export async function saveWatch(db: Kysely<Database>, watch: RelayWatchesTable): Promise<boolean> {
  const { client_id, kind, webhook, tags, statuses, expires_at } = watch
  return db.transaction().execute(async (transaction) => {
    await lockWatches(transaction, client_id)
    const { others } = await transaction
      .selectFrom('relay_watches')
      .select(({ fn }) => fn.countAll<number>().as('others'))
      .where('client_id', '=', client_id)
      .where((row) => row.or([row('kind', '<>', kind), row('webhook', '<>', webhook)]))
      .executeTakeFirstOrThrow()
    if (others >= maxWatches) return false
    await transaction
      .insertInto('relay_watches')
      .values(watch)
      .onConflict((conflict) =>
        conflict
          .columns(['client_id', 'kind', 'webhook'])
          .doUpdateSet({ tags, statuses, expires_at }),
      )
      .execute()
    return true
  })
}

/** The first key of advisory locks; the second is a hash of a client id. */
const watchesLock = 7_263_518

/**
 * Locks out other registrations of a client until the transaction ends, so that two of them cannot exceed
 * {@link maxWatches} together. SQLite allows one writer.
 */
async function lockWatches(transaction: Kysely<Database>, clientId: string): Promise<void> {
  if (transaction.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_advisory_xact_lock(${watchesLock}, hashtext(${clientId}))`.execute(
      transaction,
    )
}

export async function deleteWatch(
  db: Kysely<Database>,
  watch: Pick<RelayWatchesTable, 'client_id' | 'kind' | 'webhook'>,
) {
  await db
    .deleteFrom('relay_watches')
    .where('client_id', '=', watch.client_id)
    .where('kind', '=', watch.kind)
    .where('webhook', '=', watch.webhook)
    .execute()
}

/** Deletes watches that expire at or before a given time (Unix ms). */
export async function deleteWatchesBefore(db: Kysely<Database>, time: number) {
  await deleteOldRows(db, { table: 'relay_watches', column: 'expires_at', until: time })
}

/**
 * Reads the relay's Ed25519 key pair. It is created at the first start and stored, so that services can
 * recognize the relay. All processes on one database share it.
 */
export async function readRelayKey(
  db: Kysely<Database>,
): Promise<{ publicKey: Uint8Array; privateKey: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  await db
    .insertInto('relay_identity')
    .values({
      id: 1,
      public_key: publicKey.export({ format: 'jwk' }).x!,
      private_key: privateKey.export({ format: 'jwk' }).d!,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const row = await db
    .selectFrom('relay_identity')
    .select(['public_key', 'private_key'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return { publicKey: Buffer.from(row.public_key, 'base64url'), privateKey: row.private_key }
}
