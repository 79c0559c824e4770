import { EventEmitter } from 'eventemitter3'
import { getAddress, hexToNumber, isAddress, isHex, numberToHex } from 'viem'
import type { Address } from 'viem'

import { NotConnectedError } from '../../../core/kit/kitErrors.ts'
import { granted } from '../../../core/walletConnect/granted.ts'
import type { Granted } from '../../../core/walletConnect/granted.ts'
import type {
  WalletConnect,
  WalletConnectEvent,
} from '../../../core/walletConnect/WalletConnect.ts'
import type { Evm } from '../context.ts'
import { findNetwork } from '../context.ts'
import { RpcError, toRpcError } from './RpcError.ts'

/** What the wallet answers. The node answers everything else. @see spec §6.3.1, §7.13 */
const walletMethods =
  /^(?:personal_\w+|wallet_\w+|eth_(?:sign\w*|sendTransaction|accounts|requestAccounts))$/

/** A URL that `fetch` cannot ask, such as one of a WebSocket; one without a scheme is the page's own. */
const foreignScheme = /^(?!https?:)[a-z][a-z\d+.-]*:/i

/** The wallet of a session as an EIP-1193 provider. */
export type SessionProvider = ReturnType<typeof createProvider>

/**
 * Reads go to the configured RPC endpoints, what needs a key goes to the wallet. Accounts and chain
 * are those the session grants; what a wallet claims beyond it is not believed.
 *
 * @see EIP-1193; spec §4.6.3, §5.12.8–9, §8.9.5–9; threat-model.md “lies on chain or account”
 */
export function createProvider(evm: Evm, walletConnect: WalletConnect) {
  const emitter = new EventEmitter()
  const capabilities = new Map<string, unknown>()
  let selected: number | undefined
  /** The wallet has agreed to go there, and its session does not show it yet. */
  let awaited: number | undefined
  /** The accounts the wallet put first, of those it granted. */
  let preferred: readonly string[] = []
  let told: { chainId: number | undefined; accounts: string } = { chainId: undefined, accounts: '' }

  function grant(): Granted {
    const session = walletConnect.session()
    if (!session) throw new NotConnectedError()
    return granted(session, 'eip155')
  }

  /** The chains on which the wallet shows an account; one without is of no use. */
  function usable(): readonly string[] {
    return grant().accounts.map((account) => account.chainId)
  }

  /** The chain in use: the one chosen, else the site's, else any of both, else any. */
  function chainId(): number {
    const chains = usable()
    const has = (id: number | string | undefined) => chains.includes(String(id))
    const wanted = [
      selected,
      evm.context.defaultNetwork()?.id,
      ...evm.context.networks().map(({ id }) => id),
    ].find(has)
    const id = Number(wanted ?? chains[0])
    if (!Number.isSafeInteger(id)) throw new NotConnectedError()
    return id
  }

  function accounts(): readonly Address[] {
    const id = String(chainId())
    const addresses = grant().accounts.flatMap((account) =>
      account.chainId === id && isAddress(account.address, { strict: false })
        ? [getAddress(account.address)]
        : [],
    )
    const rank = (address: string) => {
      const index = preferred.indexOf(address)
      return index < 0 ? preferred.length : index
    }
    return [...new Set(addresses)].toSorted((a, b) => rank(a) - rank(b))
  }

  /** Tells what has changed since it was last told. */
  function tell(): void {
    // A session of other chain families alone.
    if (usable().length === 0) return
    const now = { chainId: chainId(), accounts: accounts().join() }
    const before = told
    told = now
    if (before.chainId === undefined) return
    if (now.accounts !== before.accounts) emitter.emit('accountsChanged', accounts())
    if (now.chainId !== before.chainId) emitter.emit('chainChanged', numberToHex(now.chainId))
  }

  function select(id: number): boolean {
    if (!usable().includes(String(id))) return false
    awaited = undefined
    selected = id
    tell()
    return true
  }

  /** Goes to a chain the wallet has named; its session may show it a moment later. */
  function follow(id: number): void {
    if (!select(id)) awaited = id
  }

  function onEvent(event: WalletConnectEvent): void {
    if (event.type === 'session') {
      capabilities.clear()
      if (event.session) {
        if (usable().length === 0) {
          // It showed some before: the wallet has let the site go. @see spec §4.1.8
          if (told.chainId !== undefined) void walletConnect.disconnect()
          return
        }
        if (awaited !== undefined) select(awaited)
        tell()
        // What it approves may have changed with nothing else.
        emitter.emit('session', accounts())
        return
      }
      selected = awaited = undefined
      preferred = []
      told = { chainId: undefined, accounts: '' }
      emitter.emit('disconnect', new RpcError(4900, 'The session has ended'))
    } else if (event.type === 'event' && event.chainId.startsWith('eip155:')) onNews(event)
  }

  function onNews(event: Extract<WalletConnectEvent, { type: 'event' }>): void {
    if (!walletConnect.session()) return
    if (event.name === 'chainChanged') {
      const id = Number(String(event.data).replace(/^eip155:/, ''))
      if (Number.isSafeInteger(id)) follow(id)
    } else if (event.name === 'accountsChanged' && Array.isArray(event.data)) {
      // A wallet that shows nothing any more has let the site go. @see spec §4.1.8
      if (event.data.length === 0) return void walletConnect.disconnect()
      preferred = event.data.flatMap((id) => {
        const address = String(id).split(':').at(-1) ?? ''
        return isAddress(address, { strict: false }) ? [getAddress(address)] : []
      })
      tell()
    } else emitter.emit('message', { type: event.name, data: event.data })
  }

  async function askWallet(method: string, params: unknown): Promise<unknown> {
    if (!grant().methods.has(method))
      throw new RpcError(
        4200,
        method === 'wallet_getCallsStatus'
          ? 'Fetching call status not approved by the wallet.'
          : `The wallet did not approve the method ${method}`,
      )
    const chain = `eip155:${chainId()}`
    try {
      return await walletConnect.request({ chainId: chain, request: { method, params } })
    } catch (error) {
      throw toRpcError(error)
    }
  }

  async function switchChain(params: unknown): Promise<null> {
    const id = toChainId((params as readonly [{ chainId?: unknown }] | undefined)?.[0]?.chainId)
    const { chains, methods } = grant()
    if (!chains.has(String(id))) {
      if (!methods.has('wallet_switchEthereumChain'))
        throw new RpcError(
          4902,
          `Failed to switch to chain 'eip155:${id}'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.`,
        )
      await askWallet('wallet_switchEthereumChain', params)
    }
    follow(id)
    return null
  }

  async function getCapabilities(params: unknown): Promise<unknown> {
    const [address, chainIds = []] = (params ?? []) as [unknown, (readonly string[])?]
    if (typeof address !== 'string' || !address)
      throw new RpcError(-32602, 'Missing address parameter in `wallet_getCapabilities` request')
    const key = JSON.stringify([address.toLowerCase(), chainIds])
    if (!capabilities.has(key)) {
      const answer = await askWallet('wallet_getCapabilities', params)
      capabilities.set(key, answer)
    }
    return capabilities.get(key)
  }

  async function askNode(method: string, params: unknown): Promise<unknown> {
    const id = chainId()
    const network = findNetwork(evm, id)
    if (!network) throw new RpcError(4901, `JSON-RPC provider for eip155:${id} not found`)
    const isOwn = Boolean(evm.options.config ?? evm.options.transports?.[id])
    const urls = network.rpcUrls.default.http
    if (!isOwn && urls.length === 0)
      throw new RpcError(4901, `No RPC url provided for chainId: ${id}`)
    if (!isOwn && urls.every((url) => foreignScheme.test(url)))
      throw new RpcError(4901, `Provided URL is not compatible with HTTP connection: ${urls[0]}`)
    return evm.config.getClient({ chainId: id }).request({ method, params } as never)
  }

  const stop = walletConnect.subscribe(onEvent)
  if (walletConnect.session()) tell()

  return {
    get session() {
      return walletConnect.session()
    },
    get connected() {
      return Boolean(walletConnect.session())
    },
    chainId,
    accounts,
    /** Chooses among the granted chains without asking anybody. @returns whether it is one of them */
    select,
    async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return accounts()
        case 'eth_chainId':
          return numberToHex(chainId())
        case 'net_version':
          return String(chainId())
        case 'wallet_switchEthereumChain':
          return switchChain(params)
        case 'wallet_getCapabilities':
          return getCapabilities(params)
        default:
          return walletMethods.test(method) ? askWallet(method, params) : askNode(method, params)
      }
    },
    on(event: string, listener: (...parameters: never[]) => void) {
      emitter.on(event, listener as never)
    },
    removeListener(event: string, listener: (...parameters: never[]) => void) {
      emitter.off(event, listener as never)
    },
    destroy() {
      stop()
      emitter.removeAllListeners()
    },
  }
}

function toChainId(value: unknown): number {
  const id = isHex(value) ? hexToNumber(value) : Number(value)
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new RpcError(-32602, `${String(value)} is no chain id`)
  return id
}
