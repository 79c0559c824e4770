import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { Client } from 'pg'

export const engines = ['sqlite', 'postgres'] as const

/** A database for one test or one test file. */
export type TestDatabase = {
  config: { databaseUrl: string | undefined; dataDir: string }
  remove(): Promise<void>
}

/** Creates an empty SQLite folder, or an empty database on the test run's PostgreSQL server. */
export async function createDatabase(engine: (typeof engines)[number]): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatefold-test-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  if (engine === 'sqlite')
    return { config: { databaseUrl: undefined, dataDir }, remove: async () => removeFolder() }
  const server = await findPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  return {
    config: { databaseUrl: `${server}/${name}`, dataDir },
    async remove() {
      await query(server, `drop database ${name} with (force)`)
      removeFolder()
    },
  }
}

async function query(server: string, text: string) {
  const client = new Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Returns the URL of this test run's PostgreSQL server. The first caller starts the server; others wait. */
async function findPostgres(): Promise<string> {
  // Test files run in child processes or threads of the test runner.
  const owner = isMainThread ? process.ppid : process.pid
  const folder = join(tmpdir(), `gatefold-postgres-${owner}`)
  const ready = join(folder, 'ready.json')
  try {
    mkdirSync(folder)
    // If the tests run as root, PostgreSQL runs as another user, which must be able to enter this folder.
    chmodSync(folder, 0o755)
    spawn(
      process.execPath,
      [join(import.meta.dirname, 'postgresGuard.ts'), folder, String(owner)],
      {
        detached: true,
        stdio: 'ignore',
      },
    ).unref()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const deadline = Date.now() + 60_000
  const failed = join(folder, 'failed.json')
  while (!existsSync(ready)) {
    if (existsSync(failed))
      throw new Error(`PostgreSQL did not start: ${readFileSync(failed, 'utf8')}`)
    if (Date.now() > deadline) throw new Error('PostgreSQL did not start within 60 s')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return JSON.parse(readFileSync(ready, 'utf8')) as string
}
