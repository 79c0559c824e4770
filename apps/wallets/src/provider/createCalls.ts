import { type Hex, numberToHex } from 'viem'
import { isRecord } from './chainRpc.ts'
import type { Site } from './createSession.ts'
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

/** The longest id a page may choose, in characters: 4096 bytes written 0x… */
const maxIdLength = 8194

/**
 * Batches of EIP-5792, one transaction after another, each waiting for the receipt of the one
 * before and none sent after a failure.
 *
 * The accounts are plain keys, so a batch is never atomic, the wallet says so in its capabilities
 * and refuses `atomicRequired` with 5760.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5792
 */
export function createCalls(options: {
  /** Signs and sends one call, answers its hash. */
  send: (site: Site, call: CallRequest, chainId: number) => Promise<Hex>
  /** Ends the waiting for receipts. */
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
        // Not even included: nothing of the batch is on the chain, or only its beginning.
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
    if (!batch) throw rpcError('unknownCallsId', 'The wallet knows no batch of that id.')
    return batch
  }

  return {
    /** Checks a `wallet_sendCalls` request before anybody is asked. */
    read(site: Site, request: Record<string, unknown>) {
      if (request.version !== '2.0.0') {
        throw rpcError('invalidParams', "version must be '2.0.0', the final EIP-5792.")
      }
      if (typeof request.atomicRequired !== 'boolean') {
        throw rpcError('invalidParams', 'atomicRequired must be true or false.')
      }
      if (!Array.isArray(request.calls) || !request.calls.length) {
        throw rpcError('invalidParams', 'calls must hold at least one call.')
      }
      const calls = request.calls.map((call: unknown) => {
        if (!isRecord(call)) throw rpcError('invalidParams', 'Each call must be an object.')
        refuseCapabilities(call.capabilities)
        return readCall(call)
      })
      refuseCapabilities(request.capabilities)
      const from =
        request.from === undefined ? site.visible()[0] : readAddress(request.from, 'from')
      if (!from) throw rpcError('unauthorized', `${site.origin} was given no account.`)
      const account = site.keyOf(from).address
      const chainId = readChainId(request.chainId)
      if (!site.chains.has(chainId)) {
        throw rpcError('unsupportedCallsChain', `The wallet does not know chain ${chainId}.`)
      }
      if (request.atomicRequired) {
        throw rpcError('atomicityNotSupported', 'The wallet cannot run a batch as one.')
      }
      return { id: readId(request.id, batches), chainId, account, calls }
    },
    /** Starts an approved batch. Its progress is in `status`. */
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
    /** Per chain, as in the EIP; only the chains asked for, all known ones by default. */
    capabilities(site: Site, chainIds: readonly unknown[] | undefined) {
      const asked = chainIds?.map(readChainId)
      const known = [...site.chains.keys()].filter((id) => !asked || asked.includes(id))
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
    throw rpcError('invalidParams', `id must be a text of 1 to ${maxIdLength} characters.`)
  }
  if (batches.has(id)) throw rpcError('duplicateCallsId', 'A batch of that id was sent before.')
  return id
}

function refuseCapabilities(capabilities: unknown) {
  if (!isRecord(capabilities)) return
  for (const [name, value] of Object.entries(capabilities)) {
    if (isRecord(value) && value.optional === true) continue
    throw rpcError('unsupportedCapability', `The wallet does not support the capability ${name}.`)
  }
}

/** The fields of a receipt that EIP-5792 lets a page see. */
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
