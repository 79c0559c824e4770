import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseEther, toHex } from 'viem'
import { bundler } from '../accounts.ts'
import { addresses } from '../addresses.ts'
import { BundlerStartError } from '../errors.ts'
import { guard } from '../guardProcess.ts'
import { request, type Chain } from '../startChain.ts'
import { findAlto } from './findAlto.ts'

const startTimeoutMs = 60_000
const entryPoints = [addresses.entryPoint08, addresses.entryPoint07]

export type Bundler = {
  /** The URL of its JSON-RPC. @see ERC-4337 */
  url: string
  /** Stops it; resolves once its process has exited. Idempotent. */
  stop(): Promise<void>
  /** Resolves once the process has exited for any reason. */
  ended: Promise<void>
}

/**
 * Starts the ERC-4337 bundler of a local chain, alto, on 127.0.0.1, and waits until it responds, which takes some seconds.
 * It stops when this process exits.
 *
 * @throws BundlerMissingError, BundlerStartError
 */
export async function startBundler(
  chain: Pick<Chain, 'url'>,
  options: { port?: number } = {},
): Promise<Bundler> {
  const alto = findAlto()
  await request(chain.url, 'anvil_setBalance', [bundler.address, toHex(parseEther('1000'))])
  const { privateKey } = bundler
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('./listenLocally.ts', import.meta.url).href,
      alto,
      'run',
      ...toArguments({
        'rpc-url': chain.url,
        port: options.port ?? 0,
        entrypoints: entryPoints.join(','),
        'executor-private-keys': privateKey,
        'utility-private-key': privateKey,
        // The tracer that the safe mode needs is not part of anvil.
        'safe-mode': false,
        'log-level': 'error',
        // It polls for blocks in a quarter of this time, in ms; anvil mines a block for each transaction.
        'block-time': 100,
        'min-bundle-interval': 20,
        'max-bundle-interval': 100,
      }),
    ],
    {
      cwd: fileURLToPath(new URL('../../bundler/', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a separate process group, like anvil: Ctrl-C reaches only this
      // program, which then stops the bundler.
      detached: true,
      windowsHide: true,
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  guard(child)
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    const port = await new Promise<string>((resolve, reject) => {
      let output = ''
      const timer = setTimeout(
        () => reject(new BundlerStartError(`it did not listen within ${startTimeoutMs / 1000} s`)),
        startTimeoutMs,
      )
      const read = (text: string) => {
        output = (output + text).slice(-4_000)
        const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]
        if (found === undefined) return
        clearTimeout(timer)
        resolve(found)
      }
      child.stdout.setEncoding('utf8').on('data', read)
      child.stderr.setEncoding('utf8').on('data', read)
      child.once('error', (error) => reject(new BundlerStartError(error.message, error)))
      child.once('close', (code) => {
        clearTimeout(timer)
        reject(new BundlerStartError(output.trim() || `it exited with code ${code}`))
      })
    })
    const url = `http://127.0.0.1:${port}`
    await request(url, 'eth_supportedEntryPoints')
    return { url, stop, ended }
  } catch (error) {
    await stop()
    throw error
  }
}

function toArguments(values: Record<string, string | number | boolean>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])
}
