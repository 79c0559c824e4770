import type { ChainNamespace } from '@gatefold/protocol'

import type { Adapter } from '../connection/Adapter.ts'
import type { AlertCode } from '../notifications/alerts.ts'
import type { Account } from '../connection/Connection.ts'
import type { SessionConnector } from '../connection/Connector.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { KitEvent, KitEventListener, KitEventName } from '../analytics/events.ts'
import type { ResolvedOptions } from './options.ts'
import type { PersistedStore } from '../storage/storage.ts'
import type { State, StateEvent } from './state.ts'
import type { ViewData, ViewName } from '../view/view.ts'

/** The key of the internal members. The package does not export it, so sites see only public members. */
export const internals = Symbol('internals')

/** The active account, the result of `open()`. */
export type ConnectedAccount = Account & {
  /** The account with its chain, such as `eip155:1:0x…` (CAIP-10). */
  caipAddress: string
}

/**
 * What `open` shows.
 *
 * @example kit.open({ view: 'Networks' })
 * @example kit.open({ namespace: 'eip155' })
 */
export type OpenParameters = {
  [name in ViewName]: {
    /** The view to show; by default Account if a wallet is connected, otherwise Connect. */
    view?: name
    /** The data of the view. */
    data?: ViewData[name]
    /** Shows only wallets of this chain family. */
    namespace?: ChainNamespace.ChainNamespace
    /** The URI of a pairing that the site created, to show as a QR code. Needs the option `manualWCControl`. */
    uri?: string
  }
}[ViewName]

/** A pending `open` call. */
export type Waiter = {
  /** Whether a wallet was connected before the modal opened. If so, the call settles only on close. */
  connected: boolean
  resolve(account: ConnectedAccount): void
  reject(error: Error): void
}

/**
 * One Gatefold instance, created by `createGatefold`; a page may have several.
 * Actions are functions with the instance as their first parameter: `connect(kit, …)`.
 */
export type Kit = {
  /** The current state. Changed only by the actions; every change replaces it. */
  getState(): State
  /** The state that the server rendered; the first render in the browser must match it. */
  getInitialState(): State
  /** Calls `listener` after every change of the state. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void
  /** Reads storage, discovers wallets, restores connections. Idempotent; called on creation unless `ssr` is set. */
  start(): void
  /** Resolves once every stored connection is restored or could not be restored. */
  ready(): Promise<void>
  /**
   * Opens the modal.
   *
   * @returns the connected account: resolves as soon as a wallet is connected in the modal or, if one was
   * connected before, when the modal closes
   * @throws {ModalClosedError} (as a rejection) if it is closed without a connected wallet
   * @example const { address } = await kit.open()
   */
  open(parameters?: OpenParameters): Promise<ConnectedAccount>
  /**
   * Loads the modal before `open`, unless the option `prefetch` is 'none'. Call it on hover and focus.
   */
  prefetch(): void
  /** Closes the modal, even if its view blocks closing. */
  close(): void
  /**
   * Subscribes to an event.
   *
   * @returns a function that unsubscribes
   * @example kit.on('CONNECT_SUCCESS', ({ name }) => console.log(name))
   */
  on<name extends KitEventName>(name: name, listener: KitEventListener<name>): () => void
  /** Stops all timers, listeners and requests of this instance and removes its elements. */
  destroy(): void
  /** @internal The internal members, for the modules of this package. */
  readonly [internals]: KitInstance
}

/** An instance with its internal members, for the modules of this package. */
export type KitInstance = Kit & {
  /** The same instance with its public members only. */
  readonly kit: Kit
  readonly options: ResolvedOptions
  readonly adapters: ReadonlyMap<ChainNamespace.ChainNamespace, Adapter>
  readonly persisted: PersistedStore
  /** This instance's connectors whose sessions may serve several families, by id. */
  readonly connectors: ReadonlyMap<string, SessionConnector>
  /** Pending `open` calls. */
  readonly waiters: Set<Waiter>
  dispatch(event: StateEvent): void
  /**
   * The gateway client, loaded on first use; undefined if no gateway is configured, or if its code fails to load.
   * The next call then loads it again.
   */
  gateway(): Promise<GatewayClient | undefined>
  /** Registers a loader that `prefetch` and `open` call. */
  onPrefetch(load: () => void): () => void
  alert(code: AlertCode, values?: Record<string, string>): void
  track(event: KitEvent): void
  /** Calls a function after a delay, unless the instance is destroyed first. @returns a function that cancels it */
  later(run: () => void, delayMs: number): () => void
  /** Registers a cleanup for `destroy`. */
  onDestroy(undo: () => void): void
}

/** The internal members of an instance. Accepts a `KitInstance` too. */
export function instanceOf(kit: Kit): KitInstance {
  return kit[internals]
}
