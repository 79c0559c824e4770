import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LoadOptions, LoadResult } from './load.ts'

const flags = ['--conditions=@gatefold/source']

/** Runs the clients against a server, and measures the CPU time of its processes (`pids`). */
export async function runLoad(options: LoadOptions, pids: readonly number[]) {
  const load = startLoad(options)
  try {
    await receive<{ idle: number }>(load, 'idle')
    const before = sum(pids.map(cpuSecondsOf))
    const { result } = await receive<{ result: LoadResult }>(load, 'result')
    const cpuSeconds = sum(pids.map(cpuSecondsOf)) - before
    return { ...result, serverCpuMsPerMessage: (cpuSeconds * 1000) / Math.max(1, result.delivered) }
  } finally {
    await end(load)
  }
}

/**
 * Measures resident memory per idle socket, in KB. A warm-up before the measurement excludes code
 * and caches.
 */
export async function measureIdle(options: {
  url: string
  pid: number
  count: number
  /** Duration of the warm-up. */
  seconds: number
}): Promise<number> {
  const { url, pid, count, seconds } = options
  await runLoad({ url, pairs: 50, perSecond: 500, seconds }, [pid])
  const before = residentKb(pid)
  const load = startLoad({ url, pairs: 0, seconds: 0, idle: count })
  try {
    await receive(load, 'idle')
    return (residentKb(pid) - before) / count
  } finally {
    await end(load)
  }
}

/** Resident memory of a process, in KB. */
export function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** CPU time that a process has used so far. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  // utime and stime, in clock ticks of 1/100 s
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function startLoad(options: LoadOptions) {
  const file = fileURLToPath(new URL('./load.ts', import.meta.url))
  return fork(file, [JSON.stringify(options)], { execArgv: flags })
}

function receive<Message extends object>(child: ChildProcess, key: keyof Message & string) {
  return new Promise<Message>((resolve, reject) => {
    child.on('message', (message: Message) => key in message && resolve(message))
    child.once('exit', (code) => reject(new Error(`the clients exited with code ${code}`)))
  })
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

function sum(values: readonly number[]) {
  return values.reduce((total, value) => total + value, 0)
}
