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

/** How long a statement is retried while another connection writes. */
const retryTimeoutMs = 10_000
/** Pause between two retries. */
const retryMs = 5

/**
 * Kysely's dialect for SQLite with a first-in, first-out queue for its connection. Kysely's own queue
 * resumes all waiting callers each time the connection is released, which takes seconds with ten
 * thousand of them. While another connection writes, statements retry without blocking the thread.
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

/** Disables Kysely's own queue for the connection, because the driver has one. */
class QueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

class QueuedDriver extends SqliteDriver {
  readonly #waiting: (() => void)[] = []
  #isLocked = false

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isLocked) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isLocked = true
    return new RetryingConnection(await super.acquireConnection())
  }

  /** Acquires the write lock first, because a transaction that has already read cannot wait for it. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    // The connection stays locked for the next caller in the queue.
    if (next) next()
    else this.#isLocked = false
  }
}

class RetryingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (const deadline = performance.now() + retryTimeoutMs; ;) {
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
