import { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'

/** How long a write waits for another process that writes. */
export const busyTimeoutMs = 5_000

/**
 * Node's own SQLite in the shape Kysely's SQLite dialect asks for.
 * Write-ahead log, so that the command line can read and write while a server runs.
 *
 * @param file - path, or `:memory:`.
 */
export function openSqlite(file: string): SqliteDatabase {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = database.prepare(text)
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...(values as Value[])),
        run: (values) => statement.run(...(values as Value[])),
        iterate: (values) => statement.iterate(...(values as Value[])),
      }
    },
  }
}

type Value = string | number | bigint | null
