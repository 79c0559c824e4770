import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openTables } from '../openStorage.ts'
import { stored } from '../stored.ts'

type EscrowTables = { escrow_keys: EscrowKey }

export type EscrowKey = {
  /** The set of shares with which the key was stored. */
  set_id: string
  user_id: string
  epoch: number
  /** The key of the escrow store that encrypts the recovery key. */
  key_id: string
  sealed: string
  created_at: number
}

export type Escrow = ReturnType<typeof openEscrow>

/**
 * Opens the escrow store, which has the recovery keys of wallets with automatic
 * recovery. It is a separate database, so that a copy of the other database is
 * not enough to restore a wallet. The database is opened by the first query.
 *
 * @see docs/custody.md
 */
export function openEscrow(location: { databaseUrl: string | undefined; dataDir: string }) {
  let opening: ReturnType<typeof open> | undefined

  async function open() {
    const db = await openTables<EscrowTables>(location, 'escrow.db')
    await sql`create table if not exists escrow_keys (
      set_id text primary key,
      user_id text not null,
      epoch integer not null,
      key_id text not null,
      sealed text not null,
      created_at bigint not null
    )`.execute(db)
    return db
  }

  /** Runs a query. If the database could not be opened, the next query tries again. */
  async function run<T>(query: (db: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    opening ??= open()
    const db = await opening.catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return query(db)
  }

  return {
    async put(key: EscrowKey) {
      await stored(
        run(async (db) =>
          db
            .insertInto('escrow_keys')
            .values(key)
            .onConflict((conflict) =>
              conflict
                .column('set_id')
                .doUpdateSet(key)
                .where('escrow_keys.user_id', '=', key.user_id),
            )
            .execute(),
        ),
      )
    },
    async find(setId: string, userId: string) {
      return stored(
        run(async (db) =>
          db
            .selectFrom('escrow_keys')
            .selectAll()
            .where('set_id', '=', setId)
            .where('user_id', '=', userId)
            .executeTakeFirst(),
        ),
      )
    },
    /** Ids of the escrow store's keys that are in use. Does not create the database. */
    async listKeyIds(): Promise<string[]> {
      const { databaseUrl, dataDir } = location
      const isNew = databaseUrl === undefined && !existsSync(join(dataDir, 'escrow.db'))
      if (isNew) return []
      const rows = await stored(
        run(async (db) => db.selectFrom('escrow_keys').select('key_id').distinct().execute()),
      )
      return rows.map(({ key_id }) => key_id)
    },
    /** Up to 100 recovery keys that are encrypted under a key other than the given one. */
    async listOtherKeys(keyId: string): Promise<EscrowKey[]> {
      return stored(
        run(async (db) =>
          db
            .selectFrom('escrow_keys')
            .selectAll()
            .where('key_id', '!=', keyId)
            .limit(100)
            .execute(),
        ),
      )
    },
    /** Stores the same recovery key under another key, unless it was replaced in the meantime. */
    async renew(previous: EscrowKey, next: Pick<EscrowKey, 'key_id' | 'sealed'>) {
      await stored(
        run(async (db) =>
          db
            .updateTable('escrow_keys')
            .set(next)
            .where('set_id', '=', previous.set_id)
            .where('sealed', '=', previous.sealed)
            .execute(),
        ),
      )
    },
    /** Deletes all keys of a user, except that of a set. */
    async deleteOthers(userId: string, setId: string | null) {
      await stored(
        run(async (db) =>
          db
            .deleteFrom('escrow_keys')
            .where('user_id', '=', userId)
            .where('set_id', '!=', setId ?? '')
            .execute(),
        ),
      )
    },
    async delete(setIds: readonly string[]) {
      if (setIds.length === 0) return
      await stored(
        run(async (db) =>
          db
            .deleteFrom('escrow_keys')
            .where('set_id', 'in', [...setIds])
            .execute(),
        ),
      )
    },
    async close() {
      await (await opening?.catch(() => undefined))?.destroy()
    },
  }
}
