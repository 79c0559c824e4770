import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ChainPortTakenError, ChainStartError } from './errors.ts'
import { findAnvil } from './findAnvil.ts'

const startTimeoutMs = 15_000

/** Named, or ANVIL_IP_ADDR in the environment would open the chain to the network. */
const address = ['--host', '127.0.0.1']

/**
 * Starts anvil on 127.0.0.1 and waits until it listens. It never outlives this process.
 *
 * @throws AnvilMissingError, ChainPortTakenError, ChainStartError
 */
export async function spawnAnvil(options: spawnAnvil.Options = {}): Promise<spawnAnvil.ReturnType> {
  options.signal?.throwIfAborted()
  const { port: wantedPort = 0, args = [], signal } = options
  const child = spawn(findAnvil(), [...address, '--port', String(wantedPort), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C reaches our program first, which then ends the chain.
    detached: true,
    windowsHide: true,
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  guard(child)

  const stop = async () => {
    signal?.removeEventListener('abort', stop)
    // Nothing is saved at the end, so there is nothing to wait for.
    child.kill('SIGKILL')
    await ended
  }
  signal?.addEventListener('abort', stop)

  try {
    const port = await listening(child, wantedPort)
    signal?.throwIfAborted()
    return { port, stop, ended }
  } catch (error) {
    await stop()
    throw signal?.aborted ? signal.reason : error
  }
}

export declare namespace spawnAnvil {
  type Options = {
    /** 0 or nothing: a free one. */
    port?: number
    args?: readonly string[]
    signal?: AbortSignal
  }

  type ReturnType = {
    port: number
    stop(): Promise<void>
    /** Settles when the process has ended, whoever ended it. */
    ended: Promise<void>
  }
}

/** The port anvil says it listens on. */
function listening(child: ChildProcess, wantedPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    let complaint = ''
    const timer = setTimeout(
      () => reject(new ChainStartError(`anvil did not listen within ${startTimeoutMs / 1000} s`)),
      startTimeoutMs,
    )
    const settle = () => {
      clearTimeout(timer)
      output = ''
    }
    child.stdout?.setEncoding('utf8').on('data', function read(text: string) {
      output += text
      const port = /Listening on \S+:(\d+)/.exec(output)?.[1]
      if (port === undefined) return
      settle()
      // Later lines still have to be read, or anvil would block on a full pipe.
      child.stdout?.off('data', read).resume()
      resolve(Number(port))
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000)
    })
    child.once('error', (error) => {
      settle()
      reject(new ChainStartError(error.message, error))
    })
    child.once('close', (code) => {
      settle()
      // The text is the operating system's own (Unix, then Windows).
      if (/address already in use|only one usage of each socket address/i.test(complaint)) {
        reject(new ChainPortTakenError(wantedPort))
      } else {
        reject(new ChainStartError(complaint.trim() || `anvil ended with code ${code}`))
      }
    })
  })
}

/** See guard.ts. A shell would do on Unix; Node is there everywhere. */
function guard(child: ChildProcess): void {
  if (child.pid === undefined) return
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('./guard.ts', import.meta.url)), String(child.pid)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  )
  // Both can fail only because the guard itself is gone; the chain works without it.
  keeper.once('error', () => {})
  keeper.stdin.once('error', () => {})
  keeper.unref()
  child.once('close', () => keeper.stdin.end('.'))
}
