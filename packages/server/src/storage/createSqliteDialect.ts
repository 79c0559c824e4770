import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
} from 'kysely'

/** How long a statement waits for another connection that writes. */
const patienceMs = 10_000
/** Between two tries. */
const retryMs = 5

/**
 * Kysely's dialect for SQLite with another queue in front of the one connection. Kysely's own wakes all
 * who wait each time one is done, so ten thousand clients that come back at once cost it seconds; here
 * the next one alone is woken, in the order of asking. Another connection that writes is waited for
 * without holding up the thread.
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
    return new PatientConnection(await super.acquireConnection())
  }

  /** Takes the write lock first: one that began by reading could not wait for it later. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    // It stays taken: whoever asks now may not come in between.
    if (next) next()
    else this.#isTaken = false
  }
}

class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (const deadline = performance.now() + patienceMs; ;) {
      try {
        return await this.#connection.executeQuery<Row>(query)
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
        await wait(retryMs)
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number) {
    return this.#connection.streamQuery<Row>(query, chunkSize)
  }
}

/** @see https://www.sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && ((error.errcode as number) & 0xff) === 5
}
