import { type Hex, numberToHex } from 'viem'
import { isRecord } from './chainRpc.ts'
import type { Site } from './createWalletState.ts'
import { type CallRequest, readAddress, readCall, readChainId } from './params.ts'
import type { persistState } from './persistState.ts'
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

/** How many atomic batches are remembered after a reload. */
const maxKept = 20

/**
 * EIP-5792 batches. By default, sends the transactions one by one, each once the previous one has a receipt, and stops at
 * the first failure: plain keys execute no atomic batches, so the capabilities report this, and `atomicRequired` is
 * rejected with 5760. With `isAtomic`, sends one transaction with all calls, and remembers it across reloads.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5792
 */
export function createCalls(options: {
  /** Signs and sends one call; resolves with its hash. */
  send: (site: Site, call: CallRequest, chainId: number) => Promise<Hex>
  /** Signs and sends calls as one transaction; resolves with its hash. */
  sendAtomic: (site: Site, calls: readonly CallRequest[], chainId: number) => Promise<Hex>
  /** Whether the accounts execute atomic batches. */
  isAtomic: () => boolean
  persisted: ReturnType<typeof persistState>
  /** Aborts waiting for receipts. */
  signal: AbortSignal
}) {
  const { send, sendAtomic, isAtomic, persisted, signal } = options
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
  const atomicBatch = (id: unknown) =>
    typeof id === 'string' && Object.hasOwn(persisted.state.batches, id)
      ? persisted.state.batches[id]
      : undefined
  /** Sends all calls as one transaction, so that an error of the chain rejects the request. */
  const startAtomic = async (
    site: Site,
    { id, chainId, calls }: { id: string; chainId: number; calls: readonly CallRequest[] },
  ) => {
    const hash = await sendAtomic(site, calls, chainId)
    const kept = Object.entries(persisted.state.batches).slice(1 - maxKept)
    persisted.state.batches = { ...Object.fromEntries(kept), [id]: { chainId, hash } }
    persisted.save()
    return { id }
  }
  const statusOfAtomic = async (site: Site, id: string, batch: { chainId: number; hash: Hex }) => {
    const receipt = await site.rpc(batch.chainId)('eth_getTransactionReceipt', [batch.hash])
    const common = { version: '2.0.0', id, chainId: numberToHex(batch.chainId), atomic: true }
    if (!isRecord(receipt)) return { ...common, status: 100 }
    const status = receipt.status === '0x1' ? 200 : 500
    return { ...common, status, receipts: [shorten(receipt)] }
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
      if (request.atomicRequired && !isAtomic()) {
        throw rpcError('atomicityNotSupported', 'The wallet does not support atomic batches.')
      }
      const isTaken = (id: string) => batches.has(id) || atomicBatch(id) !== undefined
      return { id: readId(request.id, isTaken), chainId, account, calls }
    },
    /** Starts an approved batch; `status` reports its progress. */
    start(
      site: Site,
      request: { id: string; chainId: number; account: Hex; calls: readonly CallRequest[] },
    ) {
      const calls = request.calls.map((call) => ({ ...call, from: request.account }))
      if (isAtomic()) return startAtomic(site, { ...request, calls })
      const batch: Batch = { ...request, calls, receipts: [], status: 100 }
      batches.set(batch.id, batch)
      void run(site, batch)
      return { id: batch.id }
    },
    /** @throws 5730 for an unknown id */
    assertKnown(id: unknown) {
      if (!atomicBatch(id)) find(id)
    },
    status(site: Site, id: unknown) {
      const atomic = atomicBatch(id)
      if (atomic) return statusOfAtomic(site, id as string, atomic)
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
        known.map((id) => [
          numberToHex(id),
          { atomic: { status: isAtomic() ? 'supported' : 'unsupported' } },
        ]),
      )
    },
  }
}

function readId(id: unknown, isTaken: (id: string) => boolean): string {
  if (id === undefined) {
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  }
  if (typeof id !== 'string' || !id || id.length > maxIdLength) {
    throw rpcError('invalidParams', `id must be a string of 1 to ${maxIdLength} characters.`)
  }
  if (isTaken(id)) throw rpcError('duplicateCallsId', 'A batch with that id already exists.')
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
