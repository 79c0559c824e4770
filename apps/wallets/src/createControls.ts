import type { Address } from 'viem'
import type { createApprovals, PendingRequest } from './provider/createApprovals.ts'
import type { WalletChain, WalletState } from './provider/createWalletState.ts'
import { type Faults, noFaults } from './provider/Faults.ts'

/** How long `waitFor` waits for a request, in ms. */
const waitMs = 20_000

/** A request as the wallet received it. */
export type LoggedRequest = {
  readonly method: string
  readonly params: readonly unknown[]
  /** Unix time in ms. */
  readonly at: number
}

/** Controls for a wallet: its user's actions, and inspection and faults for tests. */
export type Controls = {
  /** All requests so far, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Pending requests, oldest first. */
  readonly pending: readonly PendingRequest[]
  readonly faults: Readonly<Faults>
  /** All addresses, checksummed, in the order of their keys. */
  readonly accounts: readonly Address[]
  /** Index of the selected account. */
  readonly account: number
  readonly chainId: number
  readonly chains: readonly WalletChain[]
  readonly locked: boolean
  readonly connected: boolean
  /** Whether this page may see the accounts. */
  readonly permitted: boolean
  /** Sets faults; omitted ones keep their value. */
  set(faults: Partial<Faults>): void
  /** Clears all faults, unlocks and reconnects. Permissions, account and chain are kept. */
  reset(): void
  /** Disconnects from all chains: emits `disconnect`, and rejects requests with 4900 until `connect()`. */
  disconnect(): void
  connect(): void
  /** Revokes the page's permission: emits `accountsChanged` with an empty list. */
  loseAccounts(): void
  switchAccount(index: number): void
  /** Switches the chain in the wallet. Unknown chains are allowed; reads are then rejected with 4901. */
  switchChain(chainId: number): void
  /** Locks the wallet and hides the accounts; the next `eth_requestAccounts` prompts again. */
  lock(): void
  unlock(): void
  /**
   * Resolves with the first pending request, or the first of the given method. Rejects after 20 s
   * without one.
   */
  waitFor(method?: string): Promise<PendingRequest>
  /** Calls `listener` after every change. Returns a function that unsubscribes. */
  watch(listener: () => void): () => void
}

/** @see createDemoWallet */
export function createControls(options: {
  state: WalletState
  faults: Faults
  approvals: ReturnType<typeof createApprovals>
  requests: readonly LoggedRequest[]
  listeners: Set<() => void>
  onChange: () => void
}): Controls {
  const { state, faults, approvals, requests, listeners, onChange } = options
  const { pending } = approvals
  const set = (next: Partial<Faults>) => {
    Object.assign(faults, next)
    onChange()
  }
  const watch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    requests,
    pending,
    faults,
    accounts: state.accounts.map((account) => account.address),
    get account() {
      return state.selected
    },
    get chainId() {
      return state.chainId
    },
    get chains() {
      return [...state.chains.values()]
    },
    get locked() {
      return state.locked
    },
    get connected() {
      return state.connected
    },
    get permitted() {
      return state.permitted()
    },
    set,
    reset() {
      set(noFaults)
      state.connect()
      state.unlock()
    },
    disconnect: () => state.disconnect(),
    connect: () => state.connect(),
    loseAccounts: () => state.revoke(),
    switchAccount: (index) => state.switchAccount(index),
    switchChain: (chainId) => state.switchChain(chainId),
    lock: () => state.lock(),
    unlock: () => state.unlock(),
    waitFor: (method) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = pending.find((request) => !method || request.method === method)
          if (!found) return
          stop()
          clearTimeout(timer)
          resolve(found)
        }
        const timer = setTimeout(() => {
          stop()
          const received = requests.map((request) => request.method).join(', ') || 'none'
          reject(new Error(`No pending ${method ?? 'request'}; received: ${received}.`))
        }, waitMs)
        const stop = watch(check)
        check()
      }),
    watch,
  }
}
