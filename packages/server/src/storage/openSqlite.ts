import { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

/** How long a starting process waits for a lock that another starting process holds. */
const startTimeoutMs = 5_000

/**
 * Opens a database with `node:sqlite`, and adapts it to the interface of Kysely's SQLite dialect.
 * Uses a write-ahead log, so that CLI commands can read and write while a server runs.
 *
 * @param file - path, or `:memory:`.
 */
export function openSqlite(file: string): SqliteDatabase {
  const database = new DatabaseSync(file, { timeout: startTimeoutMs })
  for (const pragma of pragmas) database.exec(`pragma ${pragma}`)
  const prepared = new LRUCache<string, SqliteStatement>({ max: 200 })

  function prepare(text: string): SqliteStatement {
    const statement = database.prepare(text)
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as Value[])),
      run: (values) => statement.run(...(values as Value[])),
      // Not cached, because a second use of the same statement would end the first iteration.
      iterate: (values) => database.prepare(text).iterate(...(values as Value[])),
    }
  }

  return {
    close: () => database.close(),
    prepare(text) {
      // Statements with many rows are long and rarely repeated.
      if (text.length > maxCachedLength) return prepare(text)
      const known = prepared.get(text)
      if (known) return known
      const statement = prepare(text)
      prepared.set(text, statement)
      return statement
    },
  }
}

const pragmas = [
  // WAL: readers do not wait while a server writes, and a commit is one append.
  'journal_mode = wal',
  // A commit is passed to the operating system, so a killed process loses no commits. It is synced only at
  // checkpoints: a power failure may lose the last commits, but does not corrupt the file. See docs/relay.md.
  'synchronous = normal',
  'foreign_keys = on',
  // 16 MB instead of 2, for each connection: the pages of busy mailboxes stay in memory. A relay has two connections.
  'cache_size = -16000',
  // In pages of 4 KB: 32 MB instead of 4. Fewer checkpoints, so fewer syncs.
  'wal_autocheckpoint = 8000',
  // SQLite would block the thread while another connection writes; the dialect retries instead.
  'busy_timeout = 0',
]

/** Maximum length of a cached statement, in characters. */
const maxCachedLength = 4_000

type Value = string | number | bigint | null
