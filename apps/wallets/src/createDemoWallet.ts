import { type Address, type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { announce, type WalletInfo } from './announce.ts'
import { demoAccounts } from './demoAccounts.ts'
import { halyardIcon } from './icons.ts'
import { isRecord } from './provider/chainRpc.ts'
import {
  type Approval,
  type Asked,
  createApprovals,
  type PendingRequest,
} from './provider/createApprovals.ts'
import type { ProviderEvents } from './provider/createEmitter.ts'
import { createMethods } from './provider/createMethods.ts'
import { createSession, type Session, type WalletChain } from './provider/createSession.ts'
import { type Faults, noFaults } from './provider/Faults.ts'
import { createMemory, type WalletStorage } from './provider/memory.ts'
import { rpcError } from './provider/ProviderRpcError.ts'

/**
 * Makes a wallet with a real key: an EIP-1193 provider that signs and sends for real, and the
 * controls to break it.
 *
 * For development and tests only: whoever runs script in the page can sign with its keys.
 *
 * @example
 * const wallet = createDemoWallet({ chains: [{ id: 31337, rpcUrl: 'http://localhost:8545' }] })
 * wallet.announce()
 * wallet.controls.set({ reject: 'next' })
 */
export function createDemoWallet(options: createDemoWallet.Options): DemoWallet {
  const origin = options.origin ?? globalThis.location?.origin ?? 'http://localhost'
  const faults: Faults = { ...noFaults, ...options.faults }
  const watchers = new Set<() => void>()
  const onChange = () => {
    for (const watcher of Array.from(watchers)) watcher()
  }
  const lifetime = new AbortController()
  const session = createSession({
    accounts: (options.accounts ?? demoAccounts(0)).map((key) => privateKeyToAccount(key)),
    chains: options.chains,
    origin,
    memory: createMemory({
      key: options.storageKey,
      storage: options.storage ?? (options.storageKey ? globalThis.localStorage : undefined),
    }),
    faults,
    onChange,
  })
  const approvals = createApprovals({ approval: options.approval ?? 'window', faults, onChange })
  const perform = createMethods({
    session,
    faults,
    signal: lifetime.signal,
    isAsking: (methods) =>
      approvals.pending.some((request) => !request.hung && methods.includes(request.method)),
  })
  const requests: LoggedRequest[] = []

  const answer = async (asked: Asked) => {
    if (!session.connected) throw rpcError('disconnected', 'The wallet is disconnected.')
    if (faults.unsupported.includes(asked.method)) {
      throw rpcError('unsupportedMethod', `The wallet does not know ${asked.method}.`)
    }
    await approvals.admit(asked)
    return perform(asked, (subject) => approvals.ask(asked, subject))
  }
  const provider: DemoProvider = {
    async request(args) {
      const asked = { ...readRequest(args), origin }
      requests.push({ method: asked.method, params: asked.params, at: Date.now() })
      onChange()
      const late = () => sleep(faults.delayMs)
      try {
        const result = await answer(asked)
        await late()
        // A copy: what a page does to an answer must not reach the wallet.
        return structuredClone(result)
      } catch (error) {
        await late()
        throw error
      }
    },
    on(event, listener) {
      session.emitter.on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      session.emitter.removeListener(event, listener)
      return provider
    },
    isConnected: () => session.connected,
  }

  const info: WalletInfo = {
    uuid: createUuid(),
    name: options.name ?? 'Halyard',
    icon: options.icon ?? halyardIcon,
    rdns: options.rdns ?? 'dev.gatefold.halyard',
  }
  const stops = new Set<() => void>()
  const controls = createControls({ session, faults, approvals, requests, watchers, onChange })

  queueMicrotask(() => {
    if (!faults.mute) session.emitter.emit('connect', { chainId: numberToHex(session.chainId) })
  })

  return {
    provider,
    info,
    controls,
    announce(target) {
      const stop = announce({ info, provider }, target)
      stops.add(stop)
      return () => {
        stops.delete(stop)
        stop()
      }
    },
    destroy() {
      for (const stop of stops) stop()
      const gone = rpcError('disconnected', 'The wallet is gone.')
      lifetime.abort(gone)
      approvals.close(gone)
      session.disconnect()
      session.emitter.clear()
      watchers.clear()
    },
  }
}

export declare namespace createDemoWallet {
  type Options = {
    /** Chains the wallet knows, the first in use. */
    chains: readonly WalletChain[]
    /** Private keys, the first in use; anvil's account 0 by default. */
    accounts?: readonly Hex[]
    name?: string
    /** Reverse domain name, the wallet's identity for EIP-6963. */
    rdns?: string
    icon?: WalletInfo['icon']
    faults?: Partial<Faults>
    /** `'window'` by default: every request waits for `controls` or the wallet's window. */
    approval?: Approval
    /** Remembers permissions, account and chain under this key, so that a reload is connected. */
    storageKey?: string
    /** `localStorage` by default; used only with a `storageKey`. */
    storage?: WalletStorage
    /** The page the wallet speaks to: `location.origin`, and `http://localhost` in Node. */
    origin?: string
  }
}

/** The EIP-1193 provider a page gets. */
export type DemoProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on<name extends keyof ProviderEvents>(
    event: name,
    listener: (payload: ProviderEvents[name]) => void,
  ): DemoProvider
  removeListener<name extends keyof ProviderEvents>(
    event: name,
    listener: (payload: ProviderEvents[name]) => void,
  ): DemoProvider
  isConnected(): boolean
}

/** A request as it came in, before anything was done with it. */
export type LoggedRequest = {
  readonly method: string
  readonly params: readonly unknown[]
  /** Unix time in ms. */
  readonly at: number
}

export type DemoWallet = {
  readonly provider: DemoProvider
  readonly info: WalletInfo
  readonly controls: Controls
  /** Announces the wallet by EIP-6963. Returns the function that stops it. */
  announce(target?: EventTarget): () => void
  /** Ends announcements and open requests (4900). The provider stays disconnected. */
  destroy(): void
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

function createControls(options: {
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

function readRequest(args: unknown): { method: string; params: readonly unknown[] } {
  if (!isRecord(args) || typeof args.method !== 'string' || !args.method) {
    throw rpcError('invalidRequest', 'A request is an object with a method.')
  }
  const { method, params = [] } = args
  if (Array.isArray(params)) return { method, params }
  // JSON-RPC allows an object; wallet methods that take one read the first parameter.
  if (isRecord(params)) return { method, params: [params] }
  throw rpcError('invalidRequest', 'params must be a list or an object.')
}

function sleep(ms: number): Promise<void> | undefined {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
}

/** A random UUID, also on pages without a secure context, where `crypto.randomUUID` is missing. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
