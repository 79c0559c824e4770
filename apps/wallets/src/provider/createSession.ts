import { type Address, type Hex, numberToHex, type PrivateKeyAccount } from 'viem'
import { type ChainRpc, createChainRpc } from './chainRpc.ts'
import { createEmitter } from './createEmitter.ts'
import type { Faults } from './Faults.ts'
import type { createMemory } from './memory.ts'
import { rpcError } from './ProviderRpcError.ts'

/** A chain the wallet knows. */
export type WalletChain = {
  id: number
  rpcUrl: string
  name?: string
  nativeCurrency?: { name: string; symbol: string; decimals: number }
}

/**
 * Who the wallet is to this page: its accounts, its chain, whether it is open, who was let in.
 * Every change that a page may learn of is told here, and nowhere else.
 */
export function createSession(options: {
  accounts: readonly PrivateKeyAccount[]
  chains: readonly WalletChain[]
  origin: string
  memory: ReturnType<typeof createMemory>
  faults: Faults
  /** Called after every change, for the wallet's own window. */
  onChange: () => void
}) {
  const { accounts, origin, memory, faults } = options
  const emitter = createEmitter()
  const chains = new Map(options.chains.map((chain) => [chain.id, chain]))
  const rpcs = new Map<number, ChainRpc>()
  const [firstChain] = options.chains
  if (!firstChain) throw new Error('A demo wallet needs at least one chain.')
  if (!accounts.length) throw new Error('A demo wallet needs at least one account.')

  let chainId = memory.state.chainId ?? firstChain.id
  if (!chains.has(chainId)) chainId = firstChain.id
  let selected = accounts[memory.state.account] ? memory.state.account : 0
  let locked = false
  let connected = true

  const emit: typeof emitter.emit = (event, payload) => {
    if (!faults.mute) emitter.emit(event, payload)
  }
  const permitted = () => memory.state.origins[origin] !== undefined
  /** Account addresses in lower case, as extensions answer them; the one in use first. */
  const addresses = () =>
    [accounts[selected]!, ...accounts.filter((_, index) => index !== selected)].map(
      (account) => account.address.toLowerCase() as Address,
    )
  const visible = (): readonly Address[] => {
    if (!permitted() || locked || faults.lieAboutAccount === 'none') return []
    return faults.lieAboutAccount === 'off' ? addresses() : [faults.lieAboutAccount]
  }
  const change = () => {
    Object.assign(memory.state, { account: selected, chainId })
    memory.save()
    options.onChange()
  }

  /** The key behind an address a site names, or 4100 when the site may not use it. */
  const keyOf = (address: Address, among = visible(), site = origin): PrivateKeyAccount => {
    const is = (one: Address) => one.toLowerCase() === address.toLowerCase()
    if (!among.some(is)) {
      throw rpcError('unauthorized', `${site} was not given the account ${address}.`)
    }
    // Where the wallet lies about its account, the key stays the real one: that is the fault.
    return accounts.find((one) => is(one.address)) ?? accounts[selected]!
  }
  /** Asks a chain, the current one by default. 4901 for a chain the wallet has no RPC of. */
  const rpc = (id = chainId): ChainRpc => {
    const chain = chains.get(id)
    if (!chain) throw rpcError('chainDisconnected', `The wallet has no connection to chain ${id}.`)
    const asking = rpcs.get(id) ?? createChainRpc(chain.rpcUrl)
    rpcs.set(id, asking)
    return asking
  }
  const addChain = (chain: WalletChain) => {
    chains.set(chain.id, chain)
    rpcs.delete(chain.id)
    change()
  }
  /** Moves to a chain, also one without an RPC, as a person may do in a wallet. */
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
    /** When this origin was let in, Unix time in ms. */
    get permittedAt() {
      return memory.state.origins[origin]
    },

    keyOf,
    /** The wallet as a site sees it that is not this page: on one chain, with some of the accounts. */
    siteAt(place: SitePlace): Site {
      const seen = () => (locked || faults.lieAboutAccount === 'none' ? [] : place.accounts)
      return {
        origin: place.origin,
        chainId: place.chainId,
        chains,
        locked: false,
        permittedAt: undefined,
        visible: seen,
        permitted: () => !locked,
        keyOf: (address) => keyOf(address, seen(), place.origin),
        rpc: (id = place.chainId) => rpc(id),
        addChain,
        switchChain,
        grant: unlock,
        // Whoever let the site in ends that; it is not this session's to end.
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
      memory.state.origins[origin] = Date.now()
      locked = false
      change()
      emit('accountsChanged', visible())
    },
    revoke() {
      if (!permitted()) return
      delete memory.state.origins[origin]
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
      emit('disconnect', rpcError('disconnected', 'The wallet lost its connection to every chain.'))
    },
    connect() {
      if (connected) return
      connected = true
      change()
      emit('connect', { chainId: numberToHex(chainId) satisfies Hex })
    },
  }
}

export type Session = ReturnType<typeof createSession>

/** Where a site stands that reached the wallet from elsewhere. */
export type SitePlace = { origin: string; chainId: number; accounts: readonly Address[] }

/** What the wallet is to one site. The session is that to the page it runs in. */
export type Site = {
  readonly origin: string
  readonly chains: ReadonlyMap<number, WalletChain>
  readonly chainId: number
  readonly locked: boolean
  /** When the site was let in, Unix time in ms. */
  readonly permittedAt: number | undefined
  /** The accounts the site sees, the one in use first. */
  visible(): readonly Address[]
  permitted(): boolean
  keyOf(address: Address): PrivateKeyAccount
  rpc(chainId?: number): ChainRpc
  addChain(chain: WalletChain): void
  switchChain(chainId: number): void
  grant(): void
  revoke(): void
}
