import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { ChainRequestError, ChainStartError } from './errors.ts'
import { spawnAnvil } from './spawnAnvil.ts'

export type ChainId = 31337 | 31338

export type Chain = {
  /** HTTP and WebSocket (`ws:`) alike. */
  url: string
  port: number
  chainId: ChainId
  /** Ends the chain and waits until its process is gone. May be called twice. */
  stop(): Promise<void>
  /** Remembers the state as it is now. @returns what `revert` takes */
  snapshot(): Promise<Hex>
  /** Goes back to a snapshot, which is used up by this. @throws ChainRequestError if unknown */
  revert(id: Hex): Promise<void>
  /** Settles when the process has ended, be it by itself. */
  ended: Promise<void>
}

/**
 * Starts a local EVM chain on 127.0.0.1 with the contracts, balances, names and pools of
 * `addresses.ts`. Nothing is kept when it ends, and it ends with this process at the latest.
 *
 * @throws AnvilMissingError, ChainPortTakenError, ChainStartError; the signal's reason once aborted
 */
export async function startChain(options: startChain.Options = {}): Promise<Chain> {
  const { port, chainId = 31337, blockTimeSeconds, signal } = options
  const args = ['--chain-id', String(chainId)]
  // Transactions still mine at once; the clock only adds empty blocks.
  if (blockTimeSeconds) args.push('--block-time', String(blockTimeSeconds), '--mixed-mining')
  const state = await readState(chainId)
  const anvil = await spawnAnvil({ port, args, signal })
  const url = `http://127.0.0.1:${anvil.port}`

  try {
    await request(url, 'anvil_setLoggingEnabled', [false])
    await request(url, 'anvil_loadState', [state])
    // The state ends in the past; who reckons deadlines from the newest block needs one of today.
    await request(url, 'evm_mine')
  } catch (error) {
    await anvil.stop()
    if (signal?.aborted) throw signal.reason
    throw new ChainStartError('anvil did not take the state file', error)
  }

  return {
    url,
    port: anvil.port,
    chainId,
    stop: () => anvil.stop(),
    ended: anvil.ended,
    async snapshot() {
      return (await request(url, 'evm_snapshot')) as Hex
    },
    async revert(id) {
      const done = await request(url, 'evm_revert', [id])
      if (done !== true) throw new ChainRequestError('evm_revert', `There is no snapshot ${id}.`)
    },
  }
}

export declare namespace startChain {
  type Options = {
    /** 0 or nothing: a free one. */
    port?: number
    /** @default 31337 */
    chainId?: ChainId
    /** Mines a block this often even without transactions. Nothing: only with transactions. */
    blockTimeSeconds?: number
    /** Stops the chain, whether it is starting or has started. */
    signal?: AbortSignal
  }
}

/** As anvil takes it: gzip, in hexadecimal. */
async function readState(chainId: ChainId): Promise<Hex> {
  const file = await readFile(new URL(`../state/${chainId}.json.gz`, import.meta.url))
  return `0x${file.toString('hex')}`
}

async function request(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const body = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (body.error) throw new ChainRequestError(method, body.error.message)
  return body.result
}
