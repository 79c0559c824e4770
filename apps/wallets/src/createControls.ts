import type { Address } from 'viem'
import type { createApprovals, PendingRequest } from './provider/createApprovals.ts'
import type { Session, WalletChain } from './provider/createSession.ts'
import { type Faults, noFaults } from './provider/Faults.ts'

/** A request as it came in, before anything was done with it. */
export type LoggedRequest = {
  readonly method: string
  readonly params: readonly unknown[]
  /** Unix time in ms. */
  readonly at: number
}

/** The wallet's own side: what a person does in a wallet, and what a test wants to see and break. */
export type Controls = {
  /** Every request so far, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Requests waiting for an answer, oldest first. */
  readonly pending: readonly PendingRequest[]
  readonly faults: Readonly<Faults>
  /** All addresses of the wallet, checksummed, in the order of their keys. */
  readonly accounts: readonly Address[]
  /** Index of the account in use. */
  readonly account: number
  readonly chainId: number
  readonly chains: readonly WalletChain[]
  readonly locked: boolean
  readonly connected: boolean
  /** Whether this page was given the accounts. */
  readonly permitted: boolean
  /** Turns switches; those left out stay as they are. */
  set(faults: Partial<Faults>): void
  /** Every fault off, unlocked and connected. Permissions, account and chain stay. */
  reset(): void
  /** Loses every chain: `disconnect`, then 4900 for each request until `connect()`. */
  disconnect(): void
  connect(): void
  /** Takes the accounts from the page: `accountsChanged` with an empty list. */
  loseAccounts(): void
  switchAccount(index: number): void
  /** Moves to a chain from the wallet's side; an unknown one is fine, its reads answer 4901. */
  switchChain(chainId: number): void
  /** Hides the accounts; the next `eth_requestAccounts` asks again. */
  lock(): void
  unlock(): void
  /** Resolves with the first request waiting, of that method if one is named. */
  waitFor(method?: string): Promise<PendingRequest>
  /** Calls back after every change. Returns the function that stops it. */
  watch(listener: () => void): () => void
}

/** @see createDemoWallet */
export function createControls(options: {
  session: Session
  faults: Faults
  approvals: ReturnType<typeof createApprovals>
  requests: readonly LoggedRequest[]
  watchers: Set<() => void>
  onChange: () => void
}): Controls {
  const { session, faults, approvals, requests, watchers, onChange } = options
  const { pending } = approvals
  const set = (next: Partial<Faults>) => {
    Object.assign(faults, next)
    onChange()
  }
  const watch = (listener: () => void) => {
    watchers.add(listener)
    return () => void watchers.delete(listener)
  }
  return {
    requests,
    pending,
    faults,
    accounts: session.accounts.map((account) => account.address),
    get account() {
      return session.selected
    },
    get chainId() {
      return session.chainId
    },
    get chains() {
      return [...session.chains.values()]
    },
    get locked() {
      return session.locked
    },
    get connected() {
      return session.connected
    },
    get permitted() {
      return session.permitted()
    },
    set,
    reset() {
      set(noFaults)
      session.connect()
      session.unlock()
    },
    disconnect: () => session.disconnect(),
    connect: () => session.connect(),
    loseAccounts: () => session.revoke(),
    switchAccount: (index) => session.switchAccount(index),
    switchChain: (chainId) => session.switchChain(chainId),
    lock: () => session.lock(),
    unlock: () => session.unlock(),
    waitFor: (method) =>
      new Promise((resolve) => {
        const look = () => {
          const found = pending.find((request) => !method || request.method === method)
          if (!found) return
          stop()
          resolve(found)
        }
        const stop = watch(look)
        look()
      }),
    watch,
  }
}
