import {
  type Address,
  type Hex,
  isHex,
  numberToHex,
  type PrivateKeyAccount,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { chainMethods, createChainRpc, isRecord } from './chainRpc.ts'
import type { IncomingRequest } from './createApprovals.ts'
import { createCalls } from './createCalls.ts'
import type { Site, WalletChain } from './createWalletState.ts'
import type { Faults } from './Faults.ts'
import { type CallRequest, readAddress, readCall, readChainId, readObject } from './params.ts'
import type { persistState } from './persistState.ts'
import { rpcError } from './ProviderRpcError.ts'
import type { RequestDetails } from './RequestDetails.ts'
import { signBatch } from './signBatch.ts'
import { type Cost, estimateCost, signCall } from './transactions.ts'

type Params = readonly unknown[]
type RequestApproval = (details: RequestDetails) => Promise<void>
type Method = (params: Params, requestApproval: RequestApproval, site: Site) => unknown

/**
 * The wallet's methods by name. Each validates its parameters and, if approval is needed, requests it
 * before it acts.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193, 712, 747, 2255, 3085, 3326, 5792
 */
export function createMethods(options: {
  faults: Faults
  isPending: (methods: readonly string[]) => boolean
  persisted: ReturnType<typeof persistState>
  signal: AbortSignal
}) {
  const { faults, isPending, persisted, signal } = options
  const enqueue = createQueue()
  const sendSigned = (
    site: Site,
    call: CallRequest,
    chainId: number,
    account: PrivateKeyAccount,
    cost?: Promise<Cost>,
  ) =>
    enqueue(async () => {
      const rpc = site.rpc(chainId)
      const known = await (cost ?? estimateCost(rpc, account.address, call))
      const raw = await signCall({ rpc, account, chainId, call, cost: known })
      return (await rpc('eth_sendRawTransaction', [raw])) as Hex
    })
  const calls = createCalls({
    signal,
    send: (site, call, chainId) => sendSigned(site, call, chainId, site.keyOf(call.from!)),
    sendAtomic: (site, batch, chainId) =>
      enqueue(async () => {
        const rpc = site.rpc(chainId)
        const account = site.keyOf(batch[0]!.from!)
        const raw = await signBatch({ rpc, account, chainId, calls: batch })
        return (await rpc('eth_sendRawTransaction', [raw])) as Hex
      }),
    isAtomic: () => faults.atomicBatches,
    persisted,
  })

  /** Grants the page access to the accounts once the user approves. */
  const connect = async (site: Site, requestApproval: RequestApproval) => {
    if (isPending(['eth_requestAccounts', 'wallet_requestPermissions'])) {
      throw rpcError('alreadyPending', 'A request to connect is already open in the wallet.')
    }
    await requestApproval({ kind: 'connect' })
    site.grant()
  }
  const moveTo = (site: Site, chainId: number) => {
    if (faults.wrongChain === 'stay') return null
    site.switchChain(faults.wrongChain === 'off' ? chainId : faults.wrongChain)
    return null
  }
  /** Validates a transaction to send or to sign, and starts to estimate its cost. */
  const readTransaction = (site: Site, params: Params) => {
    const call = readCall(readObject(params))
    if (!call.from) throw rpcError('invalidParams', 'from must be a 20-byte address.')
    const account = site.keyOf(call.from)
    const { chainId } = site
    if (call.chainId !== undefined && call.chainId !== chainId) {
      throw rpcError('invalidParams', `The wallet is on chain ${chainId}, not ${call.chainId}.`)
    }
    const cost = estimateCost(site.rpc(), account.address, call)
    // Awaited only after the approval; until then, a rejection must not count as unhandled.
    cost.catch(() => undefined)
    const details: RequestDetails = {
      kind: 'calls',
      account: account.address,
      chainId,
      calls: [call],
      sends: true,
      cost,
    }
    return { call, account, chainId, cost, details }
  }
  const refuse = (reason: string) => () => {
    throw rpcError('unsupportedMethod', reason)
  }

  const methods: Record<string, Method> = {
    eth_accounts: (_params, _approval, site) => site.visible(),
    eth_coinbase: (_params, _approval, site) => site.visible()[0] ?? null,
    eth_chainId: (_params, _approval, site) => numberToHex(site.chainId),
    net_version: (_params, _approval, site) => String(site.chainId),

    async eth_requestAccounts(_, requestApproval, site) {
      if (!site.permitted() || site.locked) await connect(site, requestApproval)
      return site.visible()
    },
    async wallet_requestPermissions(params, requestApproval, site) {
      readPermission(params)
      await connect(site, requestApproval)
      return permissions(site)
    },
    wallet_getPermissions: (_params, _approval, site) => permissions(site),
    wallet_revokePermissions(params, _approval, site) {
      readPermission(params)
      site.revoke()
      return null
    },

    async personal_sign(params, requestApproval, site) {
      const [text, from] = params
      if (typeof text !== 'string') throw rpcError('invalidParams', 'The message must be a string.')
      const account = site.keyOf(readAddress(from, 'The second parameter'))
      // EIP-191 data is hex; extensions also accept plain text as UTF-8.
      const message = isHex(text) && text.length % 2 === 0 ? text : stringToHex(text)
      await requestApproval({ kind: 'message', account: account.address, message })
      return account.signMessage({ message: { raw: message } })
    },
    async eth_signTypedData_v4(params, requestApproval, site) {
      const account = site.keyOf(readAddress(params[0], 'The first parameter'))
      const typedData = readTypedData(params[1], site.chainId)
      await requestApproval({ kind: 'typedData', account: account.address, typedData })
      return account.signTypedData(typedData)
    },
    eth_sign: refuse('eth_sign is not supported: it signs data that cannot be displayed.'),

    async eth_sendTransaction(params, requestApproval, site) {
      const { call, account, chainId, cost, details } = readTransaction(site, params)
      await requestApproval(details)
      return sendSigned(site, call, chainId, account, cost)
    },
    async eth_signTransaction(params, requestApproval, site) {
      const { call, account, chainId, cost, details } = readTransaction(site, params)
      await requestApproval({ ...details, sends: false })
      return signCall({ rpc: site.rpc(chainId), account, chainId, call, cost: await cost })
    },

    async wallet_switchEthereumChain(params, requestApproval, site) {
      const chainId = readChainId(readObject(params).chainId)
      if (!site.chains.has(chainId)) {
        throw rpcError('unknownChain', `Unknown chain ${chainId}. Add it first.`)
      }
      if (chainId === site.chainId) return null
      await requestApproval({ kind: 'switchChain', chainId })
      return moveTo(site, chainId)
    },
    async wallet_addEthereumChain(params, requestApproval, site) {
      const chain = readChain(readObject(params))
      if (chain.id === site.chainId) return null
      const known = site.chains.has(chain.id)
      await requestApproval(
        known ? { kind: 'switchChain', chainId: chain.id } : { kind: 'addChain', chain },
      )
      if (!known) {
        // After the approval, because the page chose the URL.
        await assertServes(chain)
        site.addChain(chain)
      }
      return moveTo(site, chain.id)
    },
    async wallet_watchAsset(params, requestApproval) {
      // EIP-747 defines params as an object, but most pages wrap it in a list.
      const request = readObject(params)
      if (request.type !== 'ERC20' || !isRecord(request.options)) {
        throw rpcError('invalidParams', "type must be 'ERC20' and options an object.")
      }
      const { address, symbol } = request.options
      if (typeof symbol !== 'string' || !symbol || symbol.length > 11) {
        throw rpcError('invalidParams', 'symbol must have 1 to 11 characters.')
      }
      await requestApproval({
        kind: 'watchAsset',
        address: readAddress(address, 'address'),
        symbol,
      })
      return true
    },

    async wallet_sendCalls(params, requestApproval, site) {
      const batch = calls.read(site, readObject(params))
      await requestApproval({ kind: 'calls', ...batch, sends: true })
      return calls.start(site, batch)
    },
    wallet_getCallsStatus: ([id], _approval, site) => calls.status(site, id),
    wallet_showCallsStatus([id]) {
      calls.assertKnown(id)
      return null
    },
    wallet_getCapabilities(params, _approval, site) {
      site.keyOf(readAddress(params[0], 'The first parameter'))
      if (params[1] !== undefined && !Array.isArray(params[1])) {
        throw rpcError('invalidParams', 'The second parameter must be a list of chain ids.')
      }
      return calls.capabilities(site, params[1])
    },
  }

  /** Dispatches a request to its method, or to the chain. */
  return async (
    request: IncomingRequest,
    requestApproval: RequestApproval,
    site: Site,
  ): Promise<unknown> => {
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (method) return method(request.params, requestApproval, site)
    if (chainMethods.has(request.method)) return site.rpc()(request.method, request.params)
    throw rpcError('unsupportedMethod', `The wallet does not support ${request.method}.`)
  }
}

/** Runs tasks one at a time: two concurrent transactions would get the same nonce. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <result>(run: () => Promise<result>): Promise<result> => {
    const result = last.then(run, run)
    last = result.catch(() => undefined)
    return result
  }
}

function readPermission(params: Params) {
  const names = Object.keys(readObject(params))
  if (names.length !== 1 || names[0] !== 'eth_accounts') {
    throw rpcError('invalidParams', 'The wallet supports only the permission eth_accounts.')
  }
}

/** @see https://eips.ethereum.org/EIPS/eip-2255 */
function permissions(site: Site) {
  if (site.permittedAt === undefined) return []
  return [
    {
      id: `${site.origin}#eth_accounts`,
      invoker: site.origin,
      parentCapability: 'eth_accounts',
      date: site.permittedAt,
      caveats: [{ type: 'restrictReturnedAccounts', value: site.visible() as Address[] }],
    },
  ]
}

function readTypedData(value: unknown, chainId: number): TypedDataDefinition {
  let typedData = value
  if (typeof value === 'string') {
    try {
      typedData = JSON.parse(value)
    } catch {
      throw rpcError('invalidParams', 'The typed data must be JSON.')
    }
  }
  if (
    !isRecord(typedData) ||
    !isRecord(typedData.types) ||
    !isRecord(typedData.message) ||
    typeof typedData.primaryType !== 'string' ||
    !Array.isArray(typedData.types[typedData.primaryType])
  ) {
    throw rpcError('invalidParams', 'Typed data needs types, primaryType and message.')
  }
  const domain = isRecord(typedData.domain) ? typedData.domain : {}
  // The user sees the current network, so a signature that is valid on another one must not be created.
  if (domain.chainId !== undefined && Number(domain.chainId) !== chainId) {
    throw rpcError('invalidParams', `The chain id of the domain is not ${chainId}.`)
  }
  return { ...typedData, domain } as unknown as TypedDataDefinition
}

function readChain(request: Record<string, unknown>): WalletChain {
  const id = readChainId(request.chainId)
  const { chainName, rpcUrls, nativeCurrency } = request
  const [rpcUrl] = Array.isArray(rpcUrls) ? rpcUrls : []
  if (typeof rpcUrl !== 'string' || !URL.canParse(rpcUrl)) {
    throw rpcError('invalidParams', 'rpcUrls must contain at least one URL.')
  }
  if (typeof chainName !== 'string' || !chainName) {
    throw rpcError('invalidParams', 'chainName must be a non-empty string.')
  }
  const chain: WalletChain = { id, rpcUrl, name: chainName }
  if (isRecord(nativeCurrency)) {
    const { name, symbol, decimals } = nativeCurrency
    if (typeof symbol !== 'string' || symbol.length < 2 || symbol.length > 6 || decimals !== 18) {
      throw rpcError(
        'invalidParams',
        'nativeCurrency needs a symbol of 2 to 6 characters and 18 decimals.',
      )
    }
    chain.nativeCurrency = { name: typeof name === 'string' ? name : symbol, symbol, decimals }
  }
  return chain
}

async function assertServes({ id, rpcUrl }: WalletChain): Promise<void> {
  const answered = await createChainRpc(rpcUrl)('eth_chainId').catch(() => undefined)
  if (answered !== numberToHex(id)) {
    throw rpcError('invalidParams', `${rpcUrl} is not an RPC URL of chain ${id}.`)
  }
}
