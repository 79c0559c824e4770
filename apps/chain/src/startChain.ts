import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { ChainRequestError, ChainStartError } from './errors.ts'
import { generateHistory } from './history/generateHistory.ts'
import { spawnAnvil } from './spawnAnvil.ts'

export type ChainId = 31337 | 31338

export type Chain = {
  /** HTTP URL; WebSocket uses the same address with `ws:`. */
  url: string
  port: number
  chainId: ChainId
  /** Stops the chain; resolves once its process has exited. Idempotent. */
  stop(): Promise<void>
  /** Takes a snapshot of the state. @returns its id, for `revert` */
  snapshot(): Promise<Hex>
  /** Reverts to a snapshot; each snapshot can be used once. @throws ChainRequestError if unknown */
  revert(id: Hex): Promise<void>
  /** Resolves once the process has exited for any reason. */
  ended: Promise<void>
}

/**
 * Starts a local EVM chain on 127.0.0.1 with contracts, balances, names and pools (see `addresses.ts`).
 * It stops when this process exits, and its state is discarded.
 *
 * @throws AnvilMissingError, ChainPortTakenError, ChainStartError; the signal's reason if aborted
 */
export async function startChain(options: startChain.Options = {}): Promise<Chain> {
  const { port, chainId = 31337, blockTimeSeconds, history, signal } = options
  const args = ['--chain-id', String(chainId)]
  // Transactions are still mined immediately; the interval adds empty blocks.
  if (blockTimeSeconds) args.push('--block-time', String(blockTimeSeconds), '--mixed-mining')
  const state = await readState(chainId)
  const anvil = await spawnAnvil({ port, args, signal })
  const url = `http://127.0.0.1:${anvil.port}`

  try {
    await request(url, 'anvil_setLoggingEnabled', [false])
    await request(url, 'anvil_loadState', [state])
    if (history) await generateHistory({ url }, history)
    // The stored blocks are in the past, but contract deadlines are compared with the time of the
    // latest block, which has to be current.
    await request(url, 'evm_mine')
  } catch (error) {
    await anvil.stop()
    if (signal?.aborted) throw signal.reason
    throw new ChainStartError('anvil could not load the state file', error)
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
      if (done !== true) throw new ChainRequestError('evm_revert', `Unknown snapshot ${id}.`)
    },
  }
}

export declare namespace startChain {
  type Options = {
    /** The port; by default or with 0, any free one. */
    port?: number
    /** @default 31337 */
    chainId?: ChainId
    /** Also mines empty blocks at this interval. By default, blocks are mined only for transactions. */
    blockTimeSeconds?: number
    /** Generates a history before the chain reaches the current time; not with `blockTimeSeconds`. */
    history?: generateHistory.Options
    /** Stops the chain, even during startup. */
    signal?: AbortSignal
  }
}

/** The state file as `anvil_loadState` expects it: gzip, in hex. */
async function readState(chainId: ChainId): Promise<Hex> {
  const file = await readFile(new URL(`../state/${chainId}.json.gz`, import.meta.url))
  return `0x${file.toString('hex')}`
}

/** Sends a request to a local chain. @throws ChainRequestError */
export async function request(
  url: string,
  method: string,
  params: unknown[] = [],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const body = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (body.error) throw new ChainRequestError(method, body.error.message)
  return body.result
}
