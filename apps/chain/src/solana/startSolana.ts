import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ChainPortTakenError, ChainStartError } from '../errors.ts'

const startTimeoutMs = 15_000

/** A local Solana chain. */
export type Solana = {
  /** URL of the JSON-RPC over HTTP. */
  url: string
  /** URL of the JSON-RPC over WebSocket, on the next port. */
  webSocketUrl: string
  port: number
  /** Stops the chain; resolves once its process has exited. */
  stop(): Promise<void>
  /** Resolves once the process has exited for any reason. */
  ended: Promise<void>
}

/** How many pairs of ports are tried after the first. */
const attempts = 20

/**
 * Starts a local Solana chain on a port, or on the next free pair of ports.
 *
 * @param wanted - by default, the port on which clients look for a local chain
 * @throws as {@link startSolana}
 */
export async function startSolanaOnFreePort(wanted = 8899): Promise<Solana> {
  for (let port = wanted; ; port += 2) {
    try {
      return await startSolana({ port })
    } catch (error) {
      if (!(error instanceof ChainPortTakenError) || port >= wanted + 2 * attempts) throw error
    }
  }
}

/**
 * Starts a local Solana chain on 127.0.0.1, in a separate process, because an
 * error in LiteSVM's native code ends the process. It stops when this process
 * exits, and its state is discarded.
 *
 * @param options.port - the port of the JSON-RPC; the next port is used too.
 *   With 0, any free pair.
 * @throws ChainPortTakenError, ChainStartError
 */
export async function startSolana({ port = 0 }: { port?: number } = {}): Promise<Solana> {
  const file = fileURLToPath(new URL('./runSolana.ts', import.meta.url))
  const child = fork(file, [String(port)], {
    execArgv: ['--conditions=@gatefold/source'],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  type Report = { port: number } | { error: { code?: string; message?: string } }
  let timer: NodeJS.Timeout | undefined
  const report = await new Promise<Report>((resolve) => {
    const fail = (message: string) => resolve({ error: { message } })
    timer = setTimeout(() => fail(`no response within ${startTimeoutMs / 1000} s`), startTimeoutMs)
    child.once('message', (message) => resolve(message as Report))
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code, signal) => fail(`exited with ${code ?? signal}`))
  }).finally(() => clearTimeout(timer))
  if ('error' in report) {
    await stop()
    if (report.error.code === 'EADDRINUSE') throw new ChainPortTakenError(port)
    throw new ChainStartError(report.error.message ?? 'unknown error')
  }
  return {
    url: `http://127.0.0.1:${report.port}`,
    webSocketUrl: `ws://127.0.0.1:${report.port + 1}`,
    port: report.port,
    stop,
    ended,
  }
}
