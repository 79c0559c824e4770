import { type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { announce, type WalletInfo } from './announce.ts'
import { type Controls, createControls, type LoggedRequest } from './createControls.ts'
import { demoAccounts } from './demoAccounts.ts'
import { halyardIcon } from './icons.ts'
import { isRecord } from './provider/chainRpc.ts'
import { type Approval, type Asked, createApprovals } from './provider/createApprovals.ts'
import type { ProviderEvents } from './provider/createEmitter.ts'
import { createMethods } from './provider/createMethods.ts'
import {
  createSession,
  type Site,
  type SitePlace,
  type WalletChain,
} from './provider/createSession.ts'
import { type Faults, noFaults } from './provider/Faults.ts'
import { createMemory, type WalletStorage } from './provider/memory.ts'
import { rpcError } from './provider/ProviderRpcError.ts'
import type { Subject } from './provider/Subject.ts'

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
    faults,
    signal: lifetime.signal,
    isAsking: (methods) =>
      approvals.pending.some((request) => !request.hung && methods.includes(request.method)),
  })
  const requests: LoggedRequest[] = []

  /** The way of every question into the wallet: noted, struck by faults, answered late. */
  const receive = async <result>(asked: Asked, run: () => Promise<result>): Promise<result> => {
    requests.push({ method: asked.method, params: asked.params, at: Date.now() })
    onChange()
    try {
      if (!session.connected) throw rpcError('disconnected', 'The wallet is disconnected.')
      if (faults.unsupported.includes(asked.method)) {
        throw rpcError('unsupportedMethod', `The wallet does not know ${asked.method}.`)
      }
      await approvals.admit(asked)
      return await run()
    } finally {
      await sleep(faults.delayMs)
    }
  }
  const answer = async (asked: Asked, site: Site) => {
    const run = () => perform(asked, (subject) => approvals.ask(asked, subject), site)
    // A copy: what a page does to an answer must not reach the wallet.
    return structuredClone(await receive(asked, run))
  }
  const provider: DemoProvider = {
    request: async (args) => answer({ ...readRequest(args), origin }, session),
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
    serve: async ({ app, signal, ...place }, args) => {
      const { origin } = place
      return answer({ ...readRequest(args), origin, app, signal }, session.siteAt(place))
    },
    ask: (asked, subject) => receive(asked, () => approvals.ask(asked, subject)),
    signMessage: async (index, message) => session.accounts[index]!.signMessage({ message }),
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

export type DemoWallet = {
  readonly provider: DemoProvider
  readonly info: WalletInfo
  readonly controls: Controls
  /**
   * Answers a request of a site that is not this page, on its chain and with the accounts it was given.
   * Approvals and faults are the same as for the provider.
   */
  serve(
    site: SitePlace & Pick<Asked, 'app' | 'signal'>,
    args: { method: string; params?: unknown },
  ): Promise<unknown>
  /** Asks whoever approves about what is no request of a provider: a session, a sign-in. */
  ask(asked: Asked, subject: Subject): Promise<void>
  /** Signs with the account of an index, and asks nobody: for what `ask` was about. */
  signMessage(account: number, message: string): Promise<Hex>
  /** Announces the wallet by EIP-6963. Returns the function that stops it. */
  announce(target?: EventTarget): () => void
  /** Ends announcements and open requests (4900). The provider stays disconnected. */
  destroy(): void
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
