import { BaseError, CaipNetworkId } from '@gatefold/protocol'
import {
  createClient,
  custom,
  decodeFunctionResult,
  encodeFunctionData,
  isHex,
  multicall3Abi,
  numberToHex,
  RpcRequestError,
  toFunctionSelector,
  type Client,
  type EIP1193Parameters,
  type Hex,
} from 'viem'
import { createSlots, type Slots } from '../../http/createSlots.ts'
import type { Chain } from '../../rpc/createChain.ts'
import type { ChainData } from '../chainData/ChainData.ts'
import { combineReads, type Read, type ReadResult } from './combineReads.ts'

/** An EVM chain whose data is known. */
export type EvmChain = {
  /** CAIP-2 id. */
  id: string
  data: ChainData
  /**
   * Reads the chain through its upstreams. Contract calls of the same turn of the event loop are sent as one
   * `eth_call` to Multicall3.
   */
  client: Client
  reads: Reads
}

export type Reads = {
  /** Sends a read as {@link EvmChain.client} does. @throws if the `eth_call` fails. */
  first(read: Read): Promise<ReadResult>
  /**
   * Repeats a read that failed, together with others that did.
   *
   * @returns `undefined` if it failed again and may have had too little gas.
   * @throws if the `eth_call` fails.
   */
  again(read: Read): Promise<ReadResult | undefined>
  /** Slots for reads that are sent separately, by the address of the client. */
  slots: Slots
}

/**
 * Gas of a separate read, and of reads that are repeated together. Also limits
 * the results to about 4 MB, because memory costs gas.
 */
export const separateGas = 30_000_000n
/** Maximum number of concurrent separate reads, per chain. */
const separateReadsAtOnce = 8
/** Maximum number of concurrent separate reads for one client address, per chain. */
const separateReadsPerAddress = 4
/** Maximum number of separate reads that wait, per chain. */
const waitingSeparateReads = 1_000
/** Maximum number of separate reads that wait for one client address, per chain. */
const waitingSeparateReadsPerAddress = 200

/**
 * A call of the precompiled contract that checks a pairing, here of no points:
 * it succeeds only with `pairingGas` left. @see EIP-197, EIP-1108
 */
const pairing: Read = { to: numberToHex(8, { size: 20 }), data: '0x' }
const pairingGas = 45_000
/** Gas that was left after all reads if they had enough. */
const sufficientGas = 900_000

const aggregate3Selector = toFunctionSelector(
  multicall3Abi.find(({ name }) => name === 'aggregate3')!,
)

/** @param onRead - called for each read of a contract that is sent together with others. */
export function createEvmChain(chain: Chain, data: ChainData, onRead?: () => void): EvmChain {
  const { multicall3, ensUniversalResolver } = data

  /** Sends reads as one call to Multicall3. */
  async function readTogether(reads: readonly Read[], gas?: bigint): Promise<ReadResult[]> {
    const calldata = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [reads.map((read) => ({ target: read.to, allowFailure: true, callData: read.data }))],
    })
    const call = { to: multicall3, data: calldata, ...(gas && { gas: numberToHex(gas) }) }
    const result = await send(chain, { method: 'eth_call', params: [call, 'latest'] })
    return [
      ...decodeFunctionResult({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        data: result as Hex,
      }),
    ]
  }

  const combined = combineReads(async (reads) => readTogether(reads))
  const first: Reads['first'] = async (read) => {
    onRead?.()
    return combined(read)
  }
  const again = combineReads(async (reads) => {
    const probes = Array.from({ length: sufficientGas / pairingGas }, () => pairing)
    const results = await readTogether([...reads, ...probes], separateGas)
    // The gas that is left only decreases, so each read had at least as much as the probes after it.
    const hadGas = results
      .slice(reads.length)
      .every(({ success, returnData }) => success && BigInt(returnData) === 1n)
    return reads.map((_, index) => {
      const result = results[index]!
      return result.success || hadGas ? result : undefined
    })
  })

  async function request(parameters: EIP1193Parameters): Promise<unknown> {
    const read = toRead(parameters)
    if (!read) return send(chain, parameters)
    const { success, returnData } = await first(read)
    if (success) return returnData
    const error = { code: 3, message: 'execution reverted', data: returnData }
    throw new RpcRequestError({ body: { method: 'eth_call' }, error, url: chain.id })
  }

  const client = createClient({
    chain: {
      id: Number(CaipNetworkId.parse(chain.id).reference),
      name: data.name,
      nativeCurrency: data.nativeCurrency,
      rpcUrls: { default: { http: [] } },
      contracts: {
        multicall3: { address: multicall3 },
        ...(ensUniversalResolver && { ensUniversalResolver: { address: ensUniversalResolver } }),
      },
    },
    transport: custom({ request }, { retryCount: 0 }),
    // An off-chain lookup sends a request to a host that the name's owner chooses.
    ccipRead: false,
  })
  const slots = createSlots({
    all: separateReadsAtOnce,
    perKey: separateReadsPerAddress,
    waiting: waitingSeparateReads,
    waitingPerKey: waitingSeparateReadsPerAddress,
  })
  return { id: chain.id, data, client, reads: { first, again, slots } }
}

/** The read of an `eth_call` that can be sent together with others: it has only a receiver and calldata. */
function toRead({ method, params }: EIP1193Parameters): Read | undefined {
  if (method !== 'eth_call') return undefined
  const [call, block, ...overrides] = params as [Partial<Read> & object, unknown, ...unknown[]]
  const { to, data, ...others } = call
  if (!to || !data || data.startsWith(aggregate3Selector)) return undefined
  if (block !== 'latest' || overrides.length > 0) return undefined
  return Object.values(others).some((value) => value !== undefined) ? undefined : { to, data }
}

/**
 * viem decodes the results of these methods without validating them, so
 * malformed values would cause internal errors.
 */
const hexMethods = new Set(['eth_call', 'eth_estimateGas', 'eth_gasPrice', 'eth_getBalance'])

async function send(chain: Chain, { method, params }: EIP1193Parameters): Promise<unknown> {
  const [reply] = await chain.send([{ method, params }], { isRead: true })
  if (!reply) throw new BaseError('The chain did not reply.', { code: 'rpc.no_reply' })
  if ('error' in reply)
    throw new RpcRequestError({ body: { method }, error: reply.error, url: chain.id })
  if (hexMethods.has(method) && !isHex(reply.result, { strict: false }))
    throw new BaseError(`The result of ${method} is not hexadecimal.`, { code: 'rpc.bad_result' })
  return reply.result
}
