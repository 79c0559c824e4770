import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, whyMissing } from './debian.ts'
import { freePort } from './program.ts'

/** A Redis server of a test's own. */
export type Redis = {
  url: string
  port: number
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again on its port, with what it had written. */
  restart(): Promise<void>
  /** Forgets everything. */
  clear(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

const place = { packages: ['redis-server'], file: 'usr/bin/redis-server' }

/** Why tests that need Redis cannot run here; undefined where they can. @see whyMissing */
export function whyNoRedis(): Promise<string | undefined> {
  return whyMissing('redis-server', place)
}

/**
 * Starts a Redis that writes what it is told before it answers (`appendfsync always`), as the relay
 * asks of one in production.
 *
 * @param options.configuration - text of a `redis.conf`; port, address and folder are the test's own.
 * @throws Error that says how to get Redis, where there is none.
 */
export async function startRedis(options: { configuration?: string } = {}): Promise<Redis> {
  const program = await findProgram('redis-server', place)
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-redis-'))
  const file = join(folder, 'redis.conf')
  await writeFile(file, options.configuration ?? 'appendonly yes\nappendfsync always\nsave ""\n')
  const port = await freePort()
  let child = await launch()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => end(child, 'SIGKILL'),
    async restart() {
      await end(child, 'SIGKILL')
      child = await launch()
    },
    async clear() {
      if ((await ask(port, 'FLUSHALL')) !== '+OK') throw new Error('Redis could not be cleared.')
    },
    async stop() {
      await end(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }

  async function launch() {
    const flags = Object.entries({ port, bind: '127.0.0.1', dir: folder })
    const started = spawn(
      program.path,
      [file, ...flags.flatMap(([name, value]) => [`--${name}`, `${value}`])],
      { env: { ...process.env, ...program.env }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let said = ''
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)))
    // A test run that is cut off leaves no server behind.
    const onExit = () => started.kill('SIGKILL')
    process.once('exit', onExit)
    started.once('exit', () => process.off('exit', onExit))
    while (!(await answers(port))) {
      if (started.exitCode === null && started.signalCode === null) continue
      throw new Error(`Redis did not start:\n${said}`)
    }
    return started
  }
}

/** Whether it answers with its data loaded; a refusal comes back at once, so it waits a little. */
async function answers(port: number) {
  const answer = await ask(port, 'PING').catch(() => '')
  if (answer === '+PONG') return true
  await new Promise((resolve) => setTimeout(resolve, 20))
  return false
}

/** The first line of the answer to a command in Redis' inline form. */
function ask(port: number, command: string) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.once('error', reject)
    socket.once('data', (data) => {
      socket.destroy()
      resolve(data.toString().trim())
    })
  })
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}
