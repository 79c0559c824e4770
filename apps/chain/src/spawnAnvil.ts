import { spawn, type ChildProcess } from 'node:child_process'
import { ChainPortTakenError, ChainStartError } from './errors.ts'
import { findAnvil } from './findAnvil.ts'
import { guard } from './guardProcess.ts'

const startTimeoutMs = 15_000

/** Set explicitly: ANVIL_IP_ADDR in the environment could expose the chain to the network. */
const address = ['--host', '127.0.0.1']

/**
 * Starts anvil on 127.0.0.1 and waits until it listens. anvil exits together with this process.
 *
 * @throws AnvilMissingError, ChainPortTakenError, ChainStartError
 */
export async function spawnAnvil(options: spawnAnvil.Options = {}): Promise<spawnAnvil.ReturnType> {
  options.signal?.throwIfAborted()
  const { port: wantedPort = 0, args = [], signal } = options
  const child = spawn(findAnvil(), [...address, '--port', String(wantedPort), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Runs in a separate process group, so that Ctrl-C reaches only this program, which then stops the
    // chain.
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
    // anvil saves nothing on exit, so SIGKILL is safe.
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
    /** The port; by default or with 0, any free one. */
    port?: number
    args?: readonly string[]
    signal?: AbortSignal
  }

  type ReturnType = {
    port: number
    stop(): Promise<void>
    /** Resolves once the process has exited. */
    ended: Promise<void>
  }
}

/** Resolves with the port that anvil reports. */
function listening(child: ChildProcess, wantedPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    let errorOutput = ''
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
      // Keeps draining the pipe, because anvil blocks once it is full.
      child.stdout?.off('data', read).resume()
      resolve(Number(port))
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-2000)
    })
    child.once('error', (error) => {
      settle()
      reject(new ChainStartError(error.message, error))
    })
    child.once('close', (code) => {
      settle()
      // The error messages on Unix and Windows.
      if (/address already in use|only one usage of each socket address/i.test(errorOutput)) {
        reject(new ChainPortTakenError(wantedPort))
      } else {
        reject(new ChainStartError(errorOutput.trim() || `anvil exited with code ${code}`))
      }
    })
  })
}
