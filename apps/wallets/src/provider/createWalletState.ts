import { type Address, type Hex, numberToHex, type PrivateKeyAccount } from 'viem'
import { type ChainRpc, createChainRpc } from './chainRpc.ts'
import { createEmitter } from './createEmitter.ts'
import type { Faults } from './Faults.ts'
import type { persistState } from './persistState.ts'
import { rpcError } from './ProviderRpcError.ts'

/** A chain that the wallet knows. */
export type WalletChain = {
  id: number
  rpcUrl: string
  name?: string
  nativeCurrency?: { name: string; symbol: string; decimals: number }
}

/**
 * The wallet's state: accounts, chain, lock, connection and permitted origins. Emits all provider events
 * except the initial `connect`.
 */
export function createWalletState(options: {
  accounts: readonly PrivateKeyAccount[]
  chains: readonly WalletChain[]
  origin: string
  persisted: ReturnType<typeof persistState>
  faults: Faults
  /** Called after every change. */
  onChange: () => void
}) {
  const { accounts, origin, persisted, faults } = options
  const emitter = createEmitter()
  const chains = new Map(options.chains.map((chain) => [chain.id, chain]))
  const rpcs = new Map<number, ChainRpc>()
  const [firstChain] = options.chains
  if (!firstChain) throw new Error('A demo wallet needs at least one chain.')
  if (!accounts.length) throw new Error('A demo wallet needs at least one account.')

  let chainId = persisted.state.chainId ?? firstChain.id
  if (!chains.has(chainId)) chainId = firstChain.id
  let selected = accounts[persisted.state.account] ? persisted.state.account : 0
  let locked = false
  let connected = true

  const emit: typeof emitter.emit = (event, payload) => {
    if (!faults.mute) emitter.emit(event, payload)
  }
  const permitted = () => persisted.state.origins[origin] !== undefined
  /** Addresses in lower case, as extensions return them; the selected one first. */
  const addresses = () =>
    [accounts[selected]!, ...accounts.filter((_, index) => index !== selected)].map(
      (account) => account.address.toLowerCase() as Address,
    )
  const visible = (): readonly Address[] => {
    if (!permitted() || locked || faults.lieAboutAccount === 'none') return []
    return faults.lieAboutAccount === 'off' ? addresses() : [faults.lieAboutAccount]
  }
  const change = () => {
    Object.assign(persisted.state, { account: selected, chainId })
    persisted.save()
    options.onChange()
  }

  /** The key of an address. @throws 4100 if the site has no permission for it */
  const keyOf = (address: Address, among = visible(), site = origin): PrivateKeyAccount => {
    const matches = (one: Address) => one.toLowerCase() === address.toLowerCase()
    if (!among.some(matches)) {
      throw rpcError('unauthorized', `${site} has no permission for the account ${address}.`)
    }
    // With `lieAboutAccount`, the wallet has no key for the shown address, so the selected account
    // signs.
    return accounts.find((one) => matches(one.address)) ?? accounts[selected]!
  }
  /** The RPC of a chain, by default the current one. @throws 4901 for a chain without an RPC URL */
  const rpc = (id = chainId): ChainRpc => {
    const chain = chains.get(id)
    if (!chain) throw rpcError('chainDisconnected', `The wallet has no connection to chain ${id}.`)
    const client = rpcs.get(id) ?? createChainRpc(chain.rpcUrl)
    rpcs.set(id, client)
    return client
  }
  const addChain = (chain: WalletChain) => {
    chains.set(chain.id, chain)
    rpcs.delete(chain.id)
    change()
  }
  /** Switches to a chain, including one without an RPC URL. */
  const switchChain = (id: number) => {
    if (id === chainId) return
    chainId = id
    change()
    emit('chainChanged', numberToHex(id))
  }
  const unlock = () => {
    if (!locked) return
    locked = false
    change()
    if (permitted()) emit('accountsChanged', visible())
  }

  return {
    emitter,
    chains,
    origin,
    accounts,
    visible,
    permitted,
    get chainId() {
      return chainId
    },
    get selected() {
      return selected
    },
    get locked() {
      return locked
    },
    get connected() {
      return connected
    },
    /** When this origin received its permission, Unix time in ms. */
    get permittedAt() {
      return persisted.state.origins[origin]
    },

    keyOf,
    /** The wallet as a remote site sees it: one chain, and some of the accounts. */
    siteAt(context: SiteContext): Site {
      const seen = () => (locked || faults.lieAboutAccount === 'none' ? [] : context.accounts)
      return {
        origin: context.origin,
        chainId: context.chainId,
        chains,
        locked: false,
        permittedAt: undefined,
        visible: seen,
        permitted: () => !locked,
        keyOf: (address) => keyOf(address, seen(), context.origin),
        rpc: (id = context.chainId) => rpc(id),
        addChain,
        switchChain: context.switchChain,
        grant: unlock,
        // A remote site has its permission from the WalletConnect session, which continues.
        revoke: () => undefined,
      }
    },
    rpc,
    addChain,
    switchChain,
    switchAccount(index: number) {
      if (!accounts[index]) throw new Error(`The wallet has no account ${index}.`)
      if (index === selected) return
      selected = index
      change()
      if (permitted() && !locked) emit('accountsChanged', visible())
    },
    grant() {
      persisted.state.origins[origin] = Date.now()
      locked = false
      change()
      emit('accountsChanged', visible())
    },
    revoke() {
      if (!permitted()) return
      delete persisted.state.origins[origin]
      change()
      emit('accountsChanged', [])
    },
    lock() {
      if (locked) return
      locked = true
      change()
      if (permitted()) emit('accountsChanged', [])
    },
    unlock,
    disconnect() {
      if (!connected) return
      connected = false
      change()
      emit('disconnect', rpcError('disconnected', 'The wallet is disconnected from all chains.'))
    },
    connect() {
      if (connected) return
      connected = true
      change()
      emit('connect', { chainId: numberToHex(chainId) satisfies Hex })
    },
  }
}

export type WalletState = ReturnType<typeof createWalletState>

/** A remote site: its origin, and the chain and accounts of its session. */
export type SiteContext = {
  origin: string
  chainId: number
  accounts: readonly Address[]
  /** Switches the session's chain. */
  switchChain: (chainId: number) => void
}

/** The wallet as one site sees it. `WalletState` implements it for the page that the wallet runs in. */
export type Site = {
  readonly origin: string
  readonly chains: ReadonlyMap<number, WalletChain>
  readonly chainId: number
  readonly locked: boolean
  /** When the site received its permission, Unix time in ms. */
  readonly permittedAt: number | undefined
  /** The accounts that the site may see, the selected one first. */
  visible(): readonly Address[]
  permitted(): boolean
  keyOf(address: Address): PrivateKeyAccount
  rpc(chainId?: number): ChainRpc
  addChain(chain: WalletChain): void
  switchChain(chainId: number): void
  grant(): void
  revoke(): void
}
