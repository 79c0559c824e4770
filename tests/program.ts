import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** How long a program may take to exit after SIGTERM, in ms. */
const stopLimitMs = 10_000

/** A server that runs as a child process. */
export type Program = {
  url: string
  port: number
  /** Pid of the running process; a restart changes it. */
  pid: number
  /** The running process, with an IPC channel; a restart changes it. */
  child: ChildProcess
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Stops it, then starts it on the same port. */
  restart(): Promise<void>
  /** Stops it with SIGTERM. */
  stop(): Promise<void>
}

export type ProgramOptions = {
  /** Name in messages, such as `server`. */
  name: string
  /** A TypeScript file and its arguments. */
  args: string[]
  port: number
  env: Record<string, string>
  /**
   * Working directory of a program outside the repository, which uses built packages; the repository's programs
   * run from source.
   */
  cwd?: string
  /** How long the program may take to respond, in ms; a minute by default. */
  startLimitMs?: number
  /** Path that responds with 200 once the program is ready. */
  health: string
  /**
   * Whether to show the program's output. If false, only the error of a failed start contains the
   * last part of the output.
   */
  showOutput?: boolean
}

/**
 * Starts a program and waits until it responds.
 *
 * @throws Error with the program's last output if it exits or does not respond in time.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  let running = await launch(options)
  return {
    url: `http://localhost:${options.port}`,
    port: options.port,
    get pid() {
      return running.pid ?? 0
    },
    get child() {
      return running
    },
    kill: () => end(running, 'SIGKILL'),
    stop: () => end(running, 'SIGTERM'),
    async restart() {
      await end(running, 'SIGTERM')
      running = await launch(options)
    },
  }
}

async function launch(options: ProgramOptions): Promise<ChildProcess> {
  const guard = fileURLToPath(new URL('./endWithParent.ts', import.meta.url))
  const { cwd, startLimitMs = 60_000 } = options
  const flags = [...(cwd ? [] : ['--conditions=@gatefold/source']), `--import=${guard}`]
  const output = options.showOutput ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, [...flags, ...options.args], {
    cwd,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      ...(cwd && { GATEFOLD_TEST_PARENT: `${process.pid}` }),
      ...options.env,
    },
    stdio: ['ignore', output, output, 'ipc'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4_000)))
  }
  let problem = ''
  child.once('error', (error) => (problem = error.message))
  child.once('exit', (code, signal) => (problem ||= `it exited with ${code ?? signal}`))

  const deadline = Date.now() + startLimitMs
  while (!(await responds(`http://localhost:${options.port}${options.health}`))) {
    if (problem === '' && Date.now() > deadline) problem = `no response in ${startLimitMs / 1000} s`
    if (problem === '') continue
    await end(child, 'SIGKILL')
    throw new Error(`The ${options.name} did not start: ${problem}\n${log}`)
  }
  return child
}

/**
 * Whether the program responds with 200. Waits before returning false, because a refused connection
 * fails immediately.
 */
async function responds(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    if (response.ok) return true
  } catch {
    // not listening yet
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  return false
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await exited
  clearTimeout(force)
}

/**
 * Finds the first TCP port, from `wanted` on, that is free on IPv4 and IPv6. 0 means any free port.
 *
 * @throws Error if all of `wanted` to `wanted + 20` are taken.
 */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted === 0) return anyPort()
  for (let port = wanted; port <= wanted + 20; port++) {
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::'))) return port
  }
  throw new Error(`Ports ${wanted} to ${wanted + 20} are all taken.`)
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    // Other errors mean that the machine has no IPv6, so the port is not taken there.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/** Ports that `anyPort` returned; a program may not listen on them yet. */
const returned = new Set<number>()

/**
 * A random free port below those that systems give to outgoing connections (from 32768 on), so that no connection
 * takes it while a program restarts.
 */
async function anyPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_000)
    if (returned.has(port)) continue
    returned.add(port)
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::'))) return port
  }
  throw new Error('No free port found in 100 attempts.')
}
