import {
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
} from 'kysely'

/**
 * Kysely's dialect for SQLite with another queue in front of the one connection. Kysely's own wakes all
 * who wait each time one is done, so ten thousand clients that come back at once cost it seconds; here
 * the next one alone is woken, in the order of asking.
 */
export function createSqliteDialect(database: SqliteDatabase): SqliteDialect {
  return new QueuedDialect({ database })
}

class QueuedDialect extends SqliteDialect {
  readonly #database: SqliteDatabase

  constructor(config: { database: SqliteDatabase }) {
    super(config)
    this.#database = config.database
  }

  override createDriver() {
    return new QueuedDriver({ database: this.#database })
  }

  override createAdapter() {
    return new QueuedAdapter()
  }
}

/** Says that the driver itself keeps users of the connection apart. */
class QueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

class QueuedDriver extends SqliteDriver {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    // It stays taken: whoever asks now may not come in between.
    if (next) next()
    else this.#isTaken = false
  }
}
