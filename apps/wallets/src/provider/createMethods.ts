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
import type { Asked } from './createApprovals.ts'
import { createCalls } from './createCalls.ts'
import type { Site, WalletChain } from './createSession.ts'
import type { Faults } from './Faults.ts'
import { type CallRequest, readAddress, readCall, readChainId, readObject } from './params.ts'
import { rpcError } from './ProviderRpcError.ts'
import type { Subject } from './Subject.ts'
import { type Cost, estimateCost, signCall } from './transactions.ts'

type Params = readonly unknown[]
type Ask = (subject: Subject) => Promise<void>
type Method = (params: Params, ask: Ask, site: Site) => unknown

/**
 * The wallet's methods by name. Each checks its parameters first, asks a person second, acts last.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193, 712, 747, 2255, 3085, 3326, 5792
 */
export function createMethods(options: {
  faults: Faults
  isAsking: (methods: readonly string[]) => boolean
  signal: AbortSignal
}) {
  const { faults, isAsking, signal } = options
  const inTurn = createTurns()
  const sendSigned = (
    site: Site,
    call: CallRequest,
    chainId: number,
    account: PrivateKeyAccount,
    cost?: Promise<Cost>,
  ) =>
    inTurn(async () => {
      const rpc = site.rpc(chainId)
      const known = await (cost ?? estimateCost(rpc, account.address, call))
      const raw = await signCall({ rpc, account, chainId, call, cost: known })
      return (await rpc('eth_sendRawTransaction', [raw])) as Hex
    })
  const calls = createCalls({
    signal,
    send: (site, call, chainId) => sendSigned(site, call, chainId, site.keyOf(call.from!)),
  })

  /** Lets the page in, once a person agrees. */
  const connect = async (site: Site, ask: Ask) => {
    if (isAsking(['eth_requestAccounts', 'wallet_requestPermissions'])) {
      throw rpcError('alreadyPending', 'A request to connect is already open in the wallet.')
    }
    await ask({ kind: 'connect' })
    site.grant()
  }
  const moveTo = (site: Site, chainId: number) => {
    if (faults.wrongChain === 'stay') return null
    site.switchChain(faults.wrongChain === 'off' ? chainId : faults.wrongChain)
    return null
  }
  /** The checks that sending and signing a transaction share. */
  const readTransaction = (site: Site, params: Params) => {
    const call = readCall(readObject(params))
    if (!call.from) throw rpcError('invalidParams', 'from must be an address of 20 bytes.')
    const account = site.keyOf(call.from)
    const { chainId } = site
    if (call.chainId !== undefined && call.chainId !== chainId) {
      throw rpcError('invalidParams', `The wallet is on chain ${chainId}, not ${call.chainId}.`)
    }
    const cost = estimateCost(site.rpc(), account.address, call)
    // Looked at when approved; a rejection before that is nobody's concern.
    cost.catch(() => undefined)
    const subject: Subject = {
      kind: 'calls',
      account: account.address,
      chainId,
      calls: [call],
      sends: true,
      cost,
    }
    return { call, account, chainId, cost, subject }
  }
  const refuse = (reason: string) => () => {
    throw rpcError('unsupportedMethod', reason)
  }

  const methods: Record<string, Method> = {
    eth_accounts: (_params, _ask, site) => site.visible(),
    eth_coinbase: (_params, _ask, site) => site.visible()[0] ?? null,
    eth_chainId: (_params, _ask, site) => numberToHex(site.chainId),
    net_version: (_params, _ask, site) => String(site.chainId),

    async eth_requestAccounts(_, ask, site) {
      if (!site.permitted() || site.locked) await connect(site, ask)
      return site.visible()
    },
    async wallet_requestPermissions(params, ask, site) {
      readPermission(params)
      await connect(site, ask)
      return permissions(site)
    },
    wallet_getPermissions: (_params, _ask, site) => permissions(site),
    wallet_revokePermissions(params, _ask, site) {
      readPermission(params)
      site.revoke()
      return null
    },

    async personal_sign(params, ask, site) {
      const [text, from] = params
      if (typeof text !== 'string') throw rpcError('invalidParams', 'The message must be a text.')
      const account = site.keyOf(readAddress(from, 'The second parameter'))
      // Bytes written 0x… are the rule; a plain text is taken as UTF-8, as extensions do.
      const message = isHex(text) && text.length % 2 === 0 ? text : stringToHex(text)
      await ask({ kind: 'message', account: account.address, message })
      return account.signMessage({ message: { raw: message } })
    },
    async eth_signTypedData_v4(params, ask, site) {
      const account = site.keyOf(readAddress(params[0], 'The first parameter'))
      const typedData = readTypedData(params[1], site.chainId)
      await ask({ kind: 'typedData', account: account.address, typedData })
      return account.signTypedData(typedData)
    },
    eth_sign: refuse('eth_sign is refused: nobody can read what it signs.'),

    async eth_sendTransaction(params, ask, site) {
      const { call, account, chainId, cost, subject } = readTransaction(site, params)
      await ask(subject)
      return sendSigned(site, call, chainId, account, cost)
    },
    async eth_signTransaction(params, ask, site) {
      const { call, account, chainId, cost, subject } = readTransaction(site, params)
      await ask({ ...subject, sends: false })
      return signCall({ rpc: site.rpc(chainId), account, chainId, call, cost: await cost })
    },

    async wallet_switchEthereumChain(params, ask, site) {
      const chainId = readChainId(readObject(params).chainId)
      if (!site.chains.has(chainId)) {
        throw rpcError('unknownChain', `The wallet does not know chain ${chainId}. Add it first.`)
      }
      if (chainId === site.chainId) return null
      await ask({ kind: 'switchChain', chainId })
      return moveTo(site, chainId)
    },
    async wallet_addEthereumChain(params, ask, site) {
      const chain = await readChain(readObject(params))
      if (chain.id === site.chainId) return null
      const known = site.chains.has(chain.id)
      await ask(known ? { kind: 'switchChain', chainId: chain.id } : { kind: 'addChain', chain })
      if (!known) site.addChain(chain)
      return moveTo(site, chain.id)
    },
    async wallet_watchAsset(params, ask) {
      // EIP-747 hands over the object itself; most pages wrap it in a list.
      const request = readObject(params)
      if (request.type !== 'ERC20' || !isRecord(request.options)) {
        throw rpcError('invalidParams', "type must be 'ERC20', with options beside it.")
      }
      const { address, symbol } = request.options
      if (typeof symbol !== 'string' || !symbol || symbol.length > 11) {
        throw rpcError('invalidParams', 'symbol must have 1 to 11 characters.')
      }
      await ask({ kind: 'watchAsset', address: readAddress(address, 'address'), symbol })
      return true
    },

    async wallet_sendCalls(params, ask, site) {
      const batch = calls.read(site, readObject(params))
      await ask({ kind: 'calls', ...batch, sends: true })
      return calls.start(site, batch)
    },
    wallet_getCallsStatus: ([id]) => calls.status(id),
    wallet_showCallsStatus([id]) {
      calls.find(id)
      return null
    },
    wallet_getCapabilities(params, _ask, site) {
      site.keyOf(readAddress(params[0], 'The first parameter'))
      if (params[1] !== undefined && !Array.isArray(params[1])) {
        throw rpcError('invalidParams', 'The second parameter must be a list of chain ids.')
      }
      return calls.capabilities(site, params[1])
    },
  }

  /** Runs one request that passed the door. */
  return async (asked: Asked, ask: Ask, site: Site): Promise<unknown> => {
    const method = Object.hasOwn(methods, asked.method) ? methods[asked.method] : undefined
    if (method) return method(asked.params, ask, site)
    if (chainMethods.has(asked.method)) return site.rpc()(asked.method, asked.params)
    throw rpcError('unsupportedMethod', `The wallet does not know ${asked.method}.`)
  }
}

/** Nonces are handed out by the chain, so two transactions must not ask at the same time. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <result>(run: () => Promise<result>): Promise<result> => {
    const mine = last.then(run, run)
    last = mine.catch(() => undefined)
    return mine
  }
}

function readPermission(params: Params) {
  const names = Object.keys(readObject(params))
  if (names.length !== 1 || names[0] !== 'eth_accounts') {
    throw rpcError('invalidParams', 'The only permission this wallet gives is eth_accounts.')
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
    throw rpcError('invalidParams', 'Typed data needs types, primaryType, domain and message.')
  }
  const domain = isRecord(typedData.domain) ? typedData.domain : {}
  // A signature for another network than the one on show is how people lose coins.
  if (domain.chainId !== undefined && Number(domain.chainId) !== chainId) {
    throw rpcError('invalidParams', `The domain names another chain than ${chainId}.`)
  }
  return { ...typedData, domain } as unknown as TypedDataDefinition
}

async function readChain(request: Record<string, unknown>): Promise<WalletChain> {
  const id = readChainId(request.chainId)
  const { chainName, rpcUrls, nativeCurrency } = request
  const [rpcUrl] = Array.isArray(rpcUrls) ? rpcUrls : []
  if (typeof rpcUrl !== 'string' || !URL.canParse(rpcUrl)) {
    throw rpcError('invalidParams', 'rpcUrls must hold at least one address.')
  }
  if (typeof chainName !== 'string' || !chainName) {
    throw rpcError('invalidParams', 'chainName must say how the chain is called.')
  }
  const chain: WalletChain = { id, rpcUrl, name: chainName }
  if (isRecord(nativeCurrency)) {
    const { name, symbol, decimals } = nativeCurrency
    if (typeof symbol !== 'string' || symbol.length < 2 || symbol.length > 6 || decimals !== 18) {
      throw rpcError(
        'invalidParams',
        'nativeCurrency needs a symbol of 2 to 6 letters, 18 decimals.',
      )
    }
    chain.nativeCurrency = { name: typeof name === 'string' ? name : symbol, symbol, decimals }
  }
  const answered = await createChainRpc(rpcUrl)('eth_chainId').catch(() => undefined)
  if (answered !== numberToHex(id)) {
    throw rpcError('invalidParams', `${rpcUrl} does not answer as chain ${id}.`)
  }
  return chain
}
