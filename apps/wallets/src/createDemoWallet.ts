import { type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { announce, type WalletInfo } from './announce.ts'
import { type Controls, createControls, type LoggedRequest } from './createControls.ts'
import { demoAccounts } from './demoAccounts.ts'
import { halyardIcon } from './icons.ts'
import { isRecord } from './provider/chainRpc.ts'
import { type Approval, type IncomingRequest, createApprovals } from './provider/createApprovals.ts'
import type { ProviderEvents } from './provider/createEmitter.ts'
import { createMethods } from './provider/createMethods.ts'
import {
  createWalletState,
  type Site,
  type SiteContext,
  type WalletChain,
} from './provider/createWalletState.ts'
import { type Faults, noFaults } from './provider/Faults.ts'
import { persistState, type WalletStorage } from './provider/persistState.ts'
import { rpcError } from './provider/ProviderRpcError.ts'
import type { RequestDetails } from './provider/RequestDetails.ts'

/**
 * Creates a wallet with real keys: an EIP-1193 provider that signs and sends transactions, and controls
 * that operate the wallet and inject faults.
 *
 * For development and tests only: any script in the page can sign with its keys.
 *
 * @example
 * const wallet = createDemoWallet({ chains: [{ id: 31337, rpcUrl: 'http://localhost:8545' }] })
 * wallet.announce()
 * wallet.controls.set({ reject: 'next' })
 */
export function createDemoWallet(options: createDemoWallet.Options): DemoWallet {
  const origin = options.origin ?? globalThis.location?.origin ?? 'http://localhost'
  const faults: Faults = { ...noFaults, ...options.faults }
  const listeners = new Set<() => void>()
  const onChange = () => {
    for (const listener of Array.from(listeners)) listener()
  }
  const lifetime = new AbortController()
  const persisted = persistState({
    key: options.storageKey,
    storage: options.storage ?? (options.storageKey ? globalThis.localStorage : undefined),
  })
  const state = createWalletState({
    accounts: (options.accounts ?? demoAccounts(0)).map((key) => privateKeyToAccount(key)),
    chains: options.chains,
    origin,
    persisted,
    faults,
    onChange,
  })
  const approvals = createApprovals({ approval: options.approval ?? 'window', faults, onChange })
  const perform = createMethods({
    faults,
    persisted,
    signal: lifetime.signal,
    isPending: (methods) =>
      approvals.pending.some((request) => !request.hung && methods.includes(request.method)),
  })
  const requests: LoggedRequest[] = []

  /** Logs a request, applies the faults, then runs it. */
  const receive = async <result>(
    request: IncomingRequest,
    run: () => Promise<result>,
  ): Promise<result> => {
    requests.push({ method: request.method, params: request.params, at: Date.now() })
    onChange()
    try {
      if (!state.connected) throw rpcError('disconnected', 'The wallet is disconnected.')
      if (faults.unsupported.includes(request.method)) {
        throw rpcError('unsupportedMethod', `The wallet does not support ${request.method}.`)
      }
      await approvals.applyMethodFaults(request)
      return await run()
    } finally {
      await sleep(faults.delayMs)
    }
  }
  const answer = async (incoming: IncomingRequest, site: Site) => {
    const run = () =>
      perform(incoming, (details) => approvals.requestApproval(incoming, details), site)
    // A copy, so that the page cannot mutate the wallet's objects.
    return structuredClone(await receive(incoming, run))
  }
  const provider: DemoProvider = {
    request: async (args) => answer({ ...readRequest(args), origin }, state),
    on(event, listener) {
      state.emitter.on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      state.emitter.removeListener(event, listener)
      return provider
    },
    isConnected: () => state.connected,
  }

  const info: WalletInfo = {
    uuid: createUuid(),
    name: options.name ?? 'Halyard',
    icon: options.icon ?? halyardIcon,
    rdns: options.rdns ?? 'dev.gatefold.halyard',
  }
  const stops = new Set<() => void>()
  const controls = createControls({ state, faults, approvals, requests, listeners, onChange })

  queueMicrotask(() => {
    if (!faults.mute) state.emitter.emit('connect', { chainId: numberToHex(state.chainId) })
  })

  return {
    provider,
    info,
    controls,
    serve: async ({ app, signal, ...context }, args) => {
      const { origin } = context
      return answer({ ...readRequest(args), origin, app, signal }, state.siteAt(context))
    },
    requestApproval: (incoming, details) =>
      receive(incoming, () => approvals.requestApproval(incoming, details)),
    signMessage: async (index, message) => state.accounts[index]!.signMessage({ message }),
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
      const removed = rpcError('disconnected', 'The wallet was removed.')
      lifetime.abort(removed)
      approvals.close(removed)
      state.disconnect()
      state.emitter.clear()
      listeners.clear()
    },
  }
}

export declare namespace createDemoWallet {
  type Options = {
    /** Chains the wallet supports; the first is selected. */
    chains: readonly WalletChain[]
    /** Private keys; the first one is selected. By default anvil's account 0. */
    accounts?: readonly Hex[]
    name?: string
    /** Reverse domain name that identifies the wallet in EIP-6963. */
    rdns?: string
    icon?: WalletInfo['icon']
    faults?: Partial<Faults>
    /** `'window'` by default: requests wait for `controls` or the wallet's window. */
    approval?: Approval
    /** Persists permissions, account and chain under this key, so that a reload stays connected. */
    storageKey?: string
    /** `localStorage` by default; used only with a `storageKey`. */
    storage?: WalletStorage
    /** Origin of the page: `location.origin`, or `http://localhost` in Node. */
    origin?: string
  }
}

/** The EIP-1193 provider that the page receives. */
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
   * Handles a request from a remote site, on that site's chain and with its accounts. Approvals and
   * faults apply as for the provider.
   */
  serve(
    site: SiteContext & Pick<IncomingRequest, 'app' | 'signal'>,
    args: { method: string; params?: unknown },
  ): Promise<unknown>
  /** Requests approval of a session proposal or a sign-in, which no provider method covers. */
  requestApproval(request: IncomingRequest, details: RequestDetails): Promise<void>
  /** Signs a message that was approved through `requestApproval`, without another prompt. */
  signMessage(account: number, message: string): Promise<Hex>
  /** Announces the wallet through EIP-6963. Returns a function that stops it. */
  announce(target?: EventTarget): () => void
  /** Stops announcements and rejects pending requests (4900). The provider stays disconnected. */
  destroy(): void
}

function readRequest(args: unknown): { method: string; params: readonly unknown[] } {
  if (!isRecord(args) || typeof args.method !== 'string' || !args.method) {
    throw rpcError('invalidRequest', 'A request must be an object with a method.')
  }
  const { method, params = [] } = args
  if (Array.isArray(params)) return { method, params }
  // JSON-RPC also allows an object as `params`; wallet methods expect it as the first element of a
  // list.
  if (isRecord(params)) return { method, params: [params] }
  throw rpcError('invalidRequest', 'params must be an array or an object.')
}

function sleep(ms: number): Promise<void> | undefined {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
}

/** A random UUID; `crypto.randomUUID` is missing outside secure contexts. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
