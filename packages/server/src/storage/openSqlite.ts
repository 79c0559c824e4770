import { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

/** How long the start waits for another process that starts. */
const startTimeoutMs = 5_000

/**
 * Node's own SQLite in the shape Kysely's SQLite dialect asks for.
 * Write-ahead log, so that the command line can read and write while a server runs.
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
      // A statement of its own: another use of the same one would end the rows halfway.
      iterate: (values) => database.prepare(text).iterate(...(values as Value[])),
    }
  }

  return {
    close: () => database.close(),
    prepare(text) {
      // Those of many rows are large and seldom the same again.
      if (text.length > longestKept) return prepare(text)
      const known = prepared.get(text)
      if (known) return known
      const statement = prepare(text)
      prepared.set(text, statement)
      return statement
    },
  }
}

const pragmas = [
  // Readers and the command line go on while a server writes, and a commit is one append.
  'journal_mode = wal',
  // A commit is handed to the operating system, so the end of this process loses none. It is synced at
  // checkpoints alone: a power cut may cost the last commits, never the file. See docs/relay.md.
  'synchronous = normal',
  'foreign_keys = on',
  // 32 MB instead of 2: the pages of busy mailboxes stay in memory.
  'cache_size = -32000',
  // Pages of 4 KB, so 32 MB instead of 4: a page that is written often reaches the file, and the sync
  // before it, more seldom.
  'wal_autocheckpoint = 8000',
  // SQLite would wait for another writer by holding up the whole thread; the dialect asks again instead.
  'busy_timeout = 0',
]

/** Characters of a statement that is kept for the next time. */
const longestKept = 4_000

type Value = string | number | bigint | null
