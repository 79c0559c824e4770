import { BaseError, CaipNetworkId } from '@gatefold/protocol'
import {
  createClient,
  custom,
  isHex,
  RpcRequestError,
  type Client,
  type EIP1193Parameters,
} from 'viem'
import type { Chain } from '../../rpc/createChain.ts'
import type { ChainData } from '../chainData/ChainData.ts'

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
}

/** Maximum size of the calls that one `eth_call` combines, in bytes. */
const batchSize = 256 * 1024

export function createEvmChain(chain: Chain, data: ChainData): EvmChain {
  const { multicall3, ensUniversalResolver } = data
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
    transport: custom({ request: (request) => send(chain, request) }, { retryCount: 0 }),
    batch: { multicall: { batchSize, wait: 0 } },
    // An off-chain lookup sends a request to a host that the name's owner chooses.
    ccipRead: false,
  })
  return { id: chain.id, data, client }
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
