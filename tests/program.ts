import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** How long a program may take until it answers, and until it has stopped when asked, in ms. */
const startLimitMs = 60_000
const stopLimitMs = 10_000

/** A server of ours, running as a process of its own. */
export type Program = {
  url: string
  port: number
  /** Of the process that runs now. */
  pid: number
  /** Ends it as a crash would: no goodbye to anyone. */
  kill(): Promise<void>
  /** Starts it again on the same port, once it has ended. */
  restart(): Promise<void>
  /** Asks it to stop in order. */
  stop(): Promise<void>
}

export type ProgramOptions = {
  /** For messages: `server`. */
  name: string
  /** TypeScript file and its arguments. */
  args: string[]
  port: number
  env: Record<string, string>
  /** Path that answers 200 once the program is up. */
  health: string
  /** Shows what the program writes; otherwise it is kept for the message of a failed start. */
  showOutput?: boolean
}

/**
 * Starts a program and waits until it answers.
 *
 * @throws Error with the program's last output when it ends, or does not answer in time.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  let running = await launch(options)
  return {
    url: `http://localhost:${options.port}`,
    port: options.port,
    get pid() {
      return running.pid ?? 0
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
  const flags = ['--conditions=@gatefold/source', `--import=${guard}`]
  const output = options.showOutput ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, [...flags, ...options.args], {
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  }
  let problem = ''
  child.once('error', (error) => (problem = error.message))
  child.once('exit', (code, signal) => (problem ||= `it ended with ${code ?? signal}`))

  const deadline = Date.now() + startLimitMs
  while (!(await answers(`http://localhost:${options.port}${options.health}`))) {
    if (problem === '' && Date.now() > deadline) problem = `no answer in ${startLimitMs / 1000} s`
    if (problem === '') continue
    await end(child, 'SIGKILL')
    throw new Error(`The ${options.name} did not start: ${problem}\n${said}`)
  }
  return child
}

/** One look; a refusal comes back at once, so it waits a little before it says no. */
async function answers(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    if (response.ok) return true
  } catch {
    // nobody listens yet
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  return false
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await gone
  clearTimeout(force)
}

/**
 * The first free TCP port from `wanted` up, on IPv4 and IPv6 alike; any free one for 0.
 *
 * @throws Error when twenty in a row are taken.
 */
export async function freePort(wanted = 0): Promise<number> {
  for (let port = wanted; port <= wanted + 20; port++) {
    const free = (await isFree(port, '127.0.0.1')) && (await isFree(port, '::'))
    if (free && port > 0) return port
    if (wanted === 0) return anyPort()
  }
  throw new Error(`Ports ${wanted} to ${wanted + 20} are all taken.`)
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    // A machine without IPv6 has nobody on it either.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

function anyPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
