import { setImmediate } from 'node:timers/promises'
import { PostgresAdapter, sql, type Kysely } from 'kysely'
import type { Database } from './Database.ts'

/** Rows of a table that are old by the time in a column (Unix ms). */
export type OldRows = {
  table: keyof Database
  /** A column with an index. */
  column: 'at' | 'expires_at' | 'received_at' | 'subscribed_at' | 'updated_at'
  /** The latest time of an old row. */
  until: number
}

/**
 * Maximum number of rows that one statement deletes. On SQLite, a statement blocks its thread; on PostgreSQL, a long one
 * would exceed the timeout of queries, each time that it is repeated.
 */
export const rowsAtOnce = 500

/** Deletes old rows in batches. Other work of the event loop runs between them. */
export async function deleteOldRows(db: Kysely<Database>, rows: OldRows) {
  while ((await deleteSomeOldRows(db, rows)) === rowsAtOnce) await setImmediate()
}

/** Deletes up to {@link rowsAtOnce} old rows. @returns their number. */
export async function deleteSomeOldRows(
  db: Kysely<Database>,
  { table, column, until }: OldRows,
): Promise<number> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const old = sql`from ${sql.table(table)} where ${sql.ref(column)} <= ${until} limit ${rowsAtOnce}`
  const chosen = isPostgres
    ? sql`ctid = any(array(select ctid ${old}))`
    : sql`rowid in (select rowid ${old})`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${chosen}`.execute(db)
  return Number(numAffectedRows)
}
