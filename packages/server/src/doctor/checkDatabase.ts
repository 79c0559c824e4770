import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql, type Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../storage/Database.ts'
import { findPendingMigrations, openDatabase } from '../storage/openStorage.ts'
import { listKeyIds } from '../storage/frame/sets.ts'
import { listProjects } from '../storage/projects.ts'
import { checkOrigins } from './checkOrigins.ts'
import { networkFix, reasonOf, type ClockSample, type Finding } from './Finding.ts'

type Result = {
  findings: Finding[]
  clocks: ClockSample[]
  /** Ids of the keys of the secure frame that the database needs. */
  keyIds: string[]
}

/** Checks the database, and the origins of the projects in it. */
export async function checkDatabase(config: Config, now: () => number): Promise<Result> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !existsSync(join(dataDir, 'gatefold.db'))) return newSqlite(dataDir)
  const where = databaseUrl ? describe(databaseUrl) : join(dataDir, 'gatefold.db')
  const clocks: ClockSample[] = []
  let db: Kysely<Database> | undefined
  try {
    db = await openDatabase({ databaseUrl, dataDir })
    const finding = databaseUrl
      ? await checkPostgres(db, where, clocks, now)
      : await checkSqlite(db, where)
    const pending = finding.status === 'error' ? [] : await findPendingMigrations(db)
    if (finding.status === 'error') return { findings: [finding], clocks, keyIds: [] }
    if (pending.length > 0) {
      const note = `${finding.message} gatefold serve will create or update its tables.`
      const origins: Finding = { check: 'origins', status: 'skipped', message: noProjects }
      return { findings: [{ ...finding, message: note }, origins], clocks, keyIds: [] }
    }
    const findings = [finding, ...checkOrigins(await listProjects(db))]
    return { findings, clocks, keyIds: await listKeyIds(db) }
  } catch (error) {
    const finding = databaseUrl ? postgresFault(error, where) : sqliteFault(error, where)
    const skipped: Finding = {
      check: 'origins',
      status: 'skipped',
      message: 'The projects cannot be read without the database.',
    }
    return { findings: [finding, skipped], clocks, keyIds: [] }
  } finally {
    await db?.destroy()
  }
}

const noProjects =
  'The database has no projects yet. Create one: gatefold project create my-site --origin https://my.site'

function newSqlite(dataDir: string): Result {
  let folder = resolve(dataDir)
  while (!existsSync(folder)) folder = dirname(folder)
  const origins: Finding = { check: 'origins', status: 'skipped', message: noProjects }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    return {
      findings: [sqliteFault(error, join(dataDir, 'gatefold.db')), origins],
      clocks: [],
      keyIds: [],
    }
  }
  const message = `SQLite: ${join(dataDir, 'gatefold.db')} does not exist yet; gatefold serve creates it.`
  return {
    findings: [{ check: 'database', status: 'ok', message }, origins],
    clocks: [],
    keyIds: [],
  }
}

async function checkSqlite(db: Kysely<Database>, where: string): Promise<Finding> {
  // Acquires the write lock, which fails if the file is read-only or locked.
  await sql`begin immediate`.execute(db)
  await sql`rollback`.execute(db)
  return { check: 'database', status: 'ok', message: `SQLite: ${where} is readable and writable.` }
}

function sqliteFault(error: unknown, where: string): Finding {
  const { message } = error as Error
  const fix = /not a database|malformed/.test(message)
    ? 'The file is damaged or not a database. Restore it from a backup, or move it away to start with an empty database.'
    : /locked|busy/.test(message)
      ? 'Another process holds the write lock. Stop it; only one machine may use the file.'
      : `Give the user who runs the server write access to the folder and its files, or set GATEFOLD_DATA_DIR to another folder.`
  return {
    check: 'database',
    status: 'error',
    message: `SQLite: ${where} cannot be used: ${message}.`,
    fix,
  }
}

async function checkPostgres(
  db: Kysely<Database>,
  where: string,
  clocks: ClockSample[],
  now: () => number,
): Promise<Finding> {
  const before = now()
  const { rows } = await sql<{ time: number; replica: boolean; version: string; create: boolean }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as time,
      pg_is_in_recovery() as replica,
      current_setting('server_version') as version,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as create`.execute(db)
  const { time, replica, version, create } = rows[0]!
  clocks.push({ source: `PostgreSQL at ${where}`, aheadMs: (before + now()) / 2 - time })
  const message = `PostgreSQL ${version.split(' ')[0]} at ${where} responds.`
  if (replica)
    return {
      check: 'database',
      status: 'error',
      message: `PostgreSQL at ${where} is a read-only replica.`,
      fix: 'Set DATABASE_URL to the primary.',
    }
  if (!create && (await findPendingMigrations(db)).length > 0)
    return {
      check: 'database',
      status: 'error',
      message: `PostgreSQL at ${where}: the user may not create the server's tables.`,
      fix: 'Run as the owner of the database: GRANT CREATE, USAGE ON SCHEMA public TO the user in DATABASE_URL.',
    }
  return { check: 'database', status: 'ok', message }
}

function postgresFault(error: unknown, where: string): Finding {
  const reason = reasonOf(error)
  const fixes: Record<string, string> = {
    '28P01': 'Correct user and password in DATABASE_URL.',
    '28000': 'Correct the user in DATABASE_URL, or allow this machine in pg_hba.conf.',
    '3D000': 'Create the database (createdb), or correct its name in DATABASE_URL.',
    '53300':
      'PostgreSQL has no free connections. Each process of the server uses up to ten; raise max_connections.',
    '42501': 'Grant the user in DATABASE_URL access to the tables of the server.',
  }
  return {
    check: 'database',
    status: 'error',
    message: `PostgreSQL at ${where} cannot be used: ${error instanceof Error && error.message ? error.message : reason}.`,
    fix:
      fixes[reason] ??
      networkFix(reason, 'DATABASE_URL') ??
      'Correct DATABASE_URL, or see the log of PostgreSQL.',
  }
}

/** Host, port and database of a URL, without user and password. */
function describe(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}
