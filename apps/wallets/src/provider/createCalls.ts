import { type Hex, numberToHex } from 'viem'
import { isRecord } from './chainRpc.ts'
import type { Site } from './createWalletState.ts'
import { type CallRequest, readAddress, readCall, readChainId } from './params.ts'
import { rpcError } from './ProviderRpcError.ts'
import { waitForReceipt } from './transactions.ts'

type Batch = {
  id: string
  chainId: number
  calls: readonly CallRequest[]
  receipts: Record<string, unknown>[]
  /** @see https://eips.ethereum.org/EIPS/eip-5792#status-codes-for-status-field */
  status: 100 | 200 | 400 | 500 | 600
}

/** Maximum length of an id chosen by a page, in characters: 4096 bytes as hex, plus 0x. */
const maxIdLength = 8194

/**
 * EIP-5792 batches: sends the transactions one by one, each once the previous one has a receipt, and
 * stops at the first failure.
 *
 * The accounts are plain keys, so batches are never atomic: the capabilities report this, and
 * `atomicRequired` is rejected with 5760.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5792
 */
export function createCalls(options: {
  /** Signs and sends one call; resolves with its hash. */
  send: (site: Site, call: CallRequest, chainId: number) => Promise<Hex>
  /** Aborts waiting for receipts. */
  signal: AbortSignal
}) {
  const { send, signal } = options
  const batches = new Map<string, Batch>()

  const run = async (site: Site, batch: Batch) => {
    const rpc = site.rpc(batch.chainId)
    for (const call of batch.calls) {
      let receipt: Record<string, unknown>
      try {
        receipt = await waitForReceipt(rpc, await send(site, call, batch.chainId), signal)
      } catch {
        // A call was not included in a block, so the chain has none of the calls, or only the first
        // ones.
        batch.status = batch.receipts.length ? 600 : 400
        return
      }
      batch.receipts.push(receipt)
      if (receipt.status !== '0x1') {
        batch.status = batch.receipts.length > 1 ? 600 : 500
        return
      }
    }
    batch.status = 200
  }
  const find = (id: unknown): Batch => {
    const batch = typeof id === 'string' ? batches.get(id) : undefined
    if (!batch) throw rpcError('unknownCallsId', 'Unknown batch id.')
    return batch
  }

  return {
    /** Validates a `wallet_sendCalls` request. */
    read(site: Site, request: Record<string, unknown>) {
      if (request.version !== '2.0.0') {
        throw rpcError('invalidParams', "version must be '2.0.0'.")
      }
      if (typeof request.atomicRequired !== 'boolean') {
        throw rpcError('invalidParams', 'atomicRequired must be true or false.')
      }
      if (!Array.isArray(request.calls) || !request.calls.length) {
        throw rpcError('invalidParams', 'calls must contain at least one call.')
      }
      const calls = request.calls.map((call: unknown) => {
        if (!isRecord(call)) throw rpcError('invalidParams', 'Each call must be an object.')
        refuseCapabilities(call.capabilities)
        return readCall(call)
      })
      refuseCapabilities(request.capabilities)
      const from =
        request.from === undefined ? site.visible()[0] : readAddress(request.from, 'from')
      if (!from) throw rpcError('unauthorized', `${site.origin} has no permitted account.`)
      const account = site.keyOf(from).address
      const chainId = readChainId(request.chainId)
      if (!site.chains.has(chainId)) {
        throw rpcError('unsupportedCallsChain', `The wallet does not support chain ${chainId}.`)
      }
      if (request.atomicRequired) {
        throw rpcError('atomicityNotSupported', 'The wallet does not support atomic batches.')
      }
      return { id: readId(request.id, batches), chainId, account, calls }
    },
    /** Starts an approved batch; `status` reports its progress. */
    start(
      site: Site,
      request: { id: string; chainId: number; account: Hex; calls: readonly CallRequest[] },
    ) {
      const calls = request.calls.map((call) => ({ ...call, from: request.account }))
      const batch: Batch = { ...request, calls, receipts: [], status: 100 }
      batches.set(batch.id, batch)
      void run(site, batch)
      return { id: batch.id }
    },
    find,
    status(id: unknown) {
      const batch = find(id)
      return {
        version: '2.0.0',
        id: batch.id,
        chainId: numberToHex(batch.chainId),
        status: batch.status,
        atomic: false,
        ...(batch.receipts.length ? { receipts: batch.receipts.map(shorten) } : {}),
      }
    },
    /** Capabilities by chain, for the given chains or for all. */
    capabilities(site: Site, chainIds: readonly unknown[] | undefined) {
      const requested = chainIds?.map(readChainId)
      const known = [...site.chains.keys()].filter((id) => !requested || requested.includes(id))
      return Object.fromEntries(
        known.map((id) => [numberToHex(id), { atomic: { status: 'unsupported' } }]),
      )
    },
  }
}

function readId(id: unknown, batches: ReadonlyMap<string, Batch>): string {
  if (id === undefined) {
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  }
  if (typeof id !== 'string' || !id || id.length > maxIdLength) {
    throw rpcError('invalidParams', `id must be a string of 1 to ${maxIdLength} characters.`)
  }
  if (batches.has(id)) throw rpcError('duplicateCallsId', 'A batch with that id already exists.')
  return id
}

function refuseCapabilities(capabilities: unknown) {
  if (!isRecord(capabilities)) return
  for (const [name, value] of Object.entries(capabilities)) {
    if (isRecord(value) && value.optional === true) continue
    throw rpcError('unsupportedCapability', `The wallet does not support the capability ${name}.`)
  }
}

/** The receipt fields that EIP-5792 defines. */
function shorten(receipt: Record<string, unknown>) {
  const logs = Array.isArray(receipt.logs) ? receipt.logs.filter(isRecord) : []
  return {
    logs: logs.map(({ address, data, topics }) => ({ address, data, topics })),
    status: receipt.status,
    blockHash: receipt.blockHash,
    blockNumber: receipt.blockNumber,
    gasUsed: receipt.gasUsed,
    transactionHash: receipt.transactionHash,
  }
}
