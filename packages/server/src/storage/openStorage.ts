import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { BaseError } from '@gatefold/protocol'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { createSqliteDialect } from './createSqliteDialect.ts'
import type { Database } from './Database.ts'
import { openSqlite } from './openSqlite.ts'

/** The location of the database. */
export type StorageLocation = {
  /** URL of a PostgreSQL database. Without it, SQLite is used. */
  databaseUrl?: string | undefined
  /** Folder of the SQLite file; `:memory:` keeps everything in memory. */
  dataDir: string
}

export type Storage = {
  db: Kysely<Database>
  engine: 'sqlite' | 'postgres'
  location: StorageLocation
  /** Resolves if the database responds, and rejects if it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database and migrates its schema. Uses PostgreSQL if there is a URL, otherwise the SQLite file
 * in the data folder, which is created if missing. Several processes may start at the same time, because
 * migrations hold a lock.
 *
 * @throws {StorageError} if the database cannot be reached or a migration fails.
 */
export async function openStorage(location: StorageLocation): Promise<Storage> {
  const engine = location.databaseUrl ? 'postgres' : 'sqlite'
  const db = await openDatabase(location)
  try {
    await (engine === 'sqlite' ? migrateSqlite(db) : migrate(db))
  } catch (error) {
    await db.destroy()
    throw new StorageError(engine, error)
  }
  return {
    db,
    engine,
    location: { databaseUrl: location.databaseUrl, dataDir: location.dataDir },
    ping: async () => void (await sql`select 1`.execute(db)),
    close: () => db.destroy(),
  }
}

/** Name of the SQLite file in the data folder. */
const fileName = 'gatefold.db'

/** Returns the path of the SQLite file; `undefined` if the database is on PostgreSQL or in memory. */
export function sqliteFileOf({ databaseUrl, dataDir }: StorageLocation): string | undefined {
  return databaseUrl || dataDir === ':memory:' ? undefined : join(dataDir, fileName)
}

/** Opens a connection to the database without migrating its schema. */
export async function openDatabase(location: StorageLocation): Promise<Kysely<Database>> {
  return openTables<Database>(location, fileName)
}

/**
 * Opens a connection to a database with any tables.
 *
 * @param fileName - of the SQLite file in the data folder.
 */
export async function openTables<Tables>(
  { databaseUrl, dataDir }: StorageLocation,
  fileName: string,
): Promise<Kysely<Tables>> {
  return new Kysely<Tables>({
    dialect: databaseUrl
      ? new PostgresDialect({ pool: await createPool(databaseUrl) })
      : createSqliteDialect(openSqlite(sqliteFile(dataDir, fileName))),
  })
}

/** Returns the migrations that the server would run on start. Changes nothing. */
export async function findPendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const migrations = await createMigrator(db).getMigrations()
  return migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
}

async function migrate(db: Kysely<Database>) {
  const { error } = await createMigrator(db).migrateToLatest()
  if (error) throw error
}

function createMigrator(db: Kysely<Database>) {
  return new Migrator({ db, provider: { getMigrations: async () => readMigrations() } })
}

/**
 * Kysely migrates PostgreSQL under a lock and in a transaction, but SQLite with neither, so this wraps
 * the migration in one transaction that holds the file's write lock.
 */
async function migrateSqlite(db: Kysely<Database>) {
  await sql`begin immediate`.execute(db)
  try {
    await migrate(db)
    await sql`commit`.execute(db)
  } catch (error) {
    await sql`rollback`.execute(db)
    throw error
  }
}

function sqliteFile(dataDir: string, fileName: string) {
  if (dataDir === ':memory:') return dataDir
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, fileName)
  protectFile(file)
  return file
}

/**
 * Makes a database file accessible only to its owner, because it contains the keys of the verify service.
 * SQLite gives its other files the same mode.
 */
function protectFile(file: string) {
  closeSync(openSync(file, 'a', 0o600))
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) chmodSync(path, 0o600)
  }
}

/** PostgreSQL's type id for bigint. */
const int8 = 20

/** Loads `pg` only for PostgreSQL; a server on SQLite starts without it. */
async function createPool(connectionString: string) {
  const { Pool, types } = await import('pg')
  const pool = new Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    types: {
      // All bigint values are below 2^53: times, counts, `seq` and digests.
      getTypeParser: ((type: Parameters<typeof types.getTypeParser>[0], format?: 'text') =>
        (type as number) === int8
          ? Number
          : types.getTypeParser(type, format)) as typeof types.getTypeParser,
    },
  })
  // The pool replaces broken idle connections. If that fails, the next query reports the error.
  pool.on('error', () => {})
  // A connection that breaks during a query rejects the query, but also emits `error`, which needs a listener.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const migrationsDir = join(import.meta.dirname, 'migrations')

function readMigrations(): Record<string, Migration> {
  const files = readdirSync(migrationsDir).filter((file) => file.endsWith('.sql'))
  return Object.fromEntries(
    files.map((file) => [
      file.replace('.sql', ''),
      toMigration(readFileSync(join(migrationsDir, file), 'utf8')),
    ]),
  )
}

function toMigration(text: string): Migration {
  const statements = text
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((part) => part.trim())
  return {
    async up(db) {
      for (const statement of statements) if (statement) await sql.raw(statement).execute(db)
    },
  }
}

export class StorageError extends BaseError {
  override name = 'StorageError'
  constructor(engine: Storage['engine'], cause: unknown) {
    super(
      engine === 'postgres'
        ? 'The PostgreSQL database at DATABASE_URL cannot be used.'
        : 'The SQLite file in the data folder cannot be used.',
      {
        code: 'storage.unusable',
        cause,
        // A refused connection has its reason in `code`; the message is empty.
        details:
          cause instanceof Error
            ? cause.message || String((cause as NodeJS.ErrnoException).code)
            : undefined,
        docsPath: 'docs/operators.md',
      },
    )
  }
}
