import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseError } from '@gatefold/protocol'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { createSqliteDialect } from './createSqliteDialect.ts'
import type { EventsTable } from './events.ts'
import { openSqlite } from './openSqlite.ts'
import type { ProjectsTable } from './projects.ts'
import type { RelayTables } from './relay.ts'
import type { VerifyTables } from './verify.ts'

export type Database = {
  projects: ProjectsTable
  analytics_events: EventsTable
} & RelayTables &
  VerifyTables

/** Where a database is. */
export type Place = {
  /** PostgreSQL, when it is given. */
  databaseUrl?: string | undefined
  /** Folder of the SQLite file; `:memory:` keeps everything in memory. */
  dataDir: string
}

export type Storage = {
  db: Kysely<Database>
  engine: 'sqlite' | 'postgres'
  place: Place
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database and brings its schema up to date: PostgreSQL when a URL is given, else the
 * SQLite file in the data folder, which is made when it is missing. Several processes may do so at
 * once; migrations take a lock.
 *
 * @throws {StorageError} when the database cannot be reached or a migration fails.
 */
export async function openStorage(place: Place): Promise<Storage> {
  const engine = place.databaseUrl ? 'postgres' : 'sqlite'
  const db = await openDatabase(place)
  try {
    await (engine === 'sqlite' ? migrateAlone(db) : migrate(db))
  } catch (error) {
    await db.destroy()
    throw new StorageError(engine, error)
  }
  return {
    db,
    engine,
    place: { databaseUrl: place.databaseUrl, dataDir: place.dataDir },
    ping: async () => void (await sql`select 1`.execute(db)),
    close: () => db.destroy(),
  }
}

/** Another connection to a database whose schema is up to date. */
export async function openDatabase({ databaseUrl, dataDir }: Place): Promise<Kysely<Database>> {
  return new Kysely<Database>({
    dialect: databaseUrl
      ? new PostgresDialect({ pool: await createPool(databaseUrl) })
      : createSqliteDialect(openSqlite(sqliteFile(dataDir))),
  })
}

async function migrate(db: Kysely<Database>) {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => readMigrations() } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/**
 * Kysely locks PostgreSQL while it migrates and runs in a transaction there, but does neither with
 * SQLite; so the whole of it is put into one transaction that holds the file's write lock.
 */
async function migrateAlone(db: Kysely<Database>) {
  await sql`begin immediate`.execute(db)
  try {
    await migrate(db)
    await sql`commit`.execute(db)
  } catch (error) {
    await sql`rollback`.execute(db)
    throw error
  }
}

function sqliteFile(dataDir: string) {
  if (dataDir === ':memory:') return dataDir
  mkdirSync(dataDir, { recursive: true })
  return join(dataDir, 'gatefold.db')
}

/** PostgreSQL's type id of bigint. */
const int8 = 20

/** Loads `pg` on use: a server on SQLite starts without it. */
async function createPool(connectionString: string) {
  const { Pool, types } = await import('pg')
  const pool = new Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    types: {
      // bigint as a number: ours are times and counts, far below 2^53
      getTypeParser: ((type: Parameters<typeof types.getTypeParser>[0], format?: 'text') =>
        (type as number) === int8
          ? Number
          : types.getTypeParser(type, format)) as typeof types.getTypeParser,
    },
  })
  // An idle connection that breaks is replaced on next use; the query that meets it reports it.
  pool.on('error', () => {})
  // One that breaks while it is in use rejects its query and tells this too, which nobody else hears.
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
        ? 'The PostgreSQL database of DATABASE_URL cannot be used.'
        : 'The SQLite file in the data folder cannot be used.',
      {
        code: 'storage.unusable',
        cause,
        // A refused connection carries its reason in a code, not in its message.
        details:
          cause instanceof Error
            ? cause.message || String((cause as NodeJS.ErrnoException).code)
            : undefined,
        docsPath: 'docs/operators.md',
      },
    )
  }
}
