import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, whyMissing } from './debian.ts'
import { freePort } from './program.ts'

/** A Redis server for one test file. */
export type Redis = {
  url: string
  port: number
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Suspends the server with SIGSTOP until `resume` is called. */
  pause(): void
  resume(): void
  /** Kills the server and restarts it on the same port with its data. */
  restart(): Promise<void>
  /** Deletes all data. */
  clear(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

const location = { packages: ['redis-server'], file: 'usr/bin/redis-server' }

/**
 * The reason why tests that need Redis must be skipped; undefined if Redis is available. @see
 * whyMissing
 */
export function whyNoRedis(): Promise<string | undefined> {
  return whyMissing('redis-server', location)
}

/** As docs/relay-production.md recommends, without its limit of memory. */
const relayConfiguration = `appendonly yes
appendfsync always
auto-aof-rewrite-min-size 512mb
save ""
`

/**
 * Starts a Redis that syncs every write to disk before it responds (`appendfsync always`), as the relay
 * requires in production.
 *
 * @param options.configuration - content of a `redis.conf`, without port, address and folder.
 * @param options.port - any free port by default.
 * @param options.isSentinel - whether to start a Sentinel.
 * @throws Error with installation instructions if Redis is missing.
 */
export async function startRedis(
  options: { configuration?: string; port?: number; isSentinel?: boolean } = {},
): Promise<Redis> {
  const program = await findProgram('redis-server', location)
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-redis-'))
  const file = join(folder, 'redis.conf')
  await writeFile(file, options.configuration ?? relayConfiguration)
  const port = options.port ?? (await freePort())
  let child = await launch()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => end(child, 'SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async restart() {
      await end(child, 'SIGKILL')
      child = await launch()
    },
    async clear() {
      if ((await askRedis(port, 'FLUSHALL')) !== '+OK')
        throw new Error('Redis could not be cleared.')
    },
    async stop() {
      await end(child, 'SIGKILL')
      // A child process of Redis that writes a snapshot may outlive it for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }

  async function launch() {
    const flags = Object.entries({ port, bind: '127.0.0.1', dir: folder })
    const started = spawn(
      program.path,
      [
        file,
        ...(options.isSentinel ? ['--sentinel'] : []),
        ...flags.flatMap(([name, value]) => [`--${name}`, `${value}`]),
      ],
      { env: { ...process.env, ...program.env }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let log = ''
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-2_000)))
    // Stops the server if the test run is aborted.
    const onExit = () => started.kill('SIGKILL')
    process.once('exit', onExit)
    started.once('exit', () => process.off('exit', onExit))
    while (!(await responds(port))) {
      if (started.exitCode === null && started.signalCode === null) continue
      throw new Error(`Redis did not start:\n${log}`)
    }
    return started
  }
}

/** Whether Redis has loaded its data. Waits before returning false, so that callers can poll. */
async function responds(port: number) {
  const answer = await askRedis(port, 'PING').catch(() => '')
  if (answer === '+PONG') return true
  await new Promise((resolve) => setTimeout(resolve, 20))
  return false
}

/** Sends an inline command. @returns the reply as Redis encodes it */
export function askRedis(port: number, command: string) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.once('error', reject)
    let reply = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      reply += text
      // Bulk strings may arrive in pieces. All other replies are short and arrive at once.
      const [, length] = /^\$(\d+)\r\n/.exec(reply) ?? []
      if (length && reply.length < Number(length)) return
      socket.destroy()
      resolve(reply.trim())
    })
  })
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}
