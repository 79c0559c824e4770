import type { ChainNamespace } from '@gatefold/protocol'

import type { Adapter } from '../connection/Adapter.ts'
import type { AlertCode } from '../notifications/alerts.ts'
import type { Account } from '../connection/Connection.ts'
import type { SessionConnector } from '../connection/Connector.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { KitEvent, KitEventListener, KitEventName } from '../analytics/events.ts'
import type { ResolvedOptions } from './options.ts'
import type { PersistedStore } from '../storage/storage.ts'
import type { State, StateEvent, ToastVariant } from './state.ts'
import type { ToastText } from '../notifications/toasts.ts'
import type { ViewData, ViewName } from '../view/view.ts'

/** What `open()` resolves with: the active account. */
export type ConnectedAccount = Account & { caipAddress: string }

export type OpenParameters = {
  [name in ViewName]: {
    view?: name
    data?: ViewData[name]
    /** Only wallets of this chain family. @see spec §2.6.1 */
    namespace?: ChainNamespace.ChainNamespace
    /** A pairing of the site's own, to be shown. @see spec §2.6.2 manualWCControl */
    uri?: string
  }
}[ViewName]

/** A pending call of `open`. */
export type Waiter = {
  /** A wallet was connected when the modal opened: then only closing settles. */
  connected: boolean
  resolve(account: ConnectedAccount): void
  reject(error: Error): void
}

/**
 * One Gatefold instance. Made by `createGatefold`; any number may live on a page.
 * Actions are functions that take it first: `connect(kit, …)`, `switchNetwork(kit, …)`.
 */
export type Kit = {
  readonly options: ResolvedOptions
  readonly adapters: ReadonlyMap<ChainNamespace.ChainNamespace, Adapter>
  readonly persisted: PersistedStore
  /** Connectors of this instance whose sessions serve several families, by id. */
  readonly connectors: ReadonlyMap<string, SessionConnector>
  /** Pending calls of `open`. */
  readonly waiters: Set<Waiter>
  getState(): State
  /** The state of the server's render, which the first render in a page must match. */
  getInitialState(): State
  subscribe(listener: () => void): () => void
  dispatch(event: StateEvent): void
  /** Reads storage, discovers wallets, restores connections. Idempotent; called at once unless `ssr` is set. */
  start(): void
  /** Resolves once stored connections are restored or have failed. */
  ready(): Promise<void>
  /** Undefined when no server is configured. Loaded on first use. */
  gateway(): Promise<GatewayClient | undefined>
  /**
   * Shows the modal.
   *
   * @returns the connected account: at once resolved by a connection made in the modal, or, when a
   * wallet is connected already, as soon as the modal closes
   * @throws {ModalClosedError} (as a rejection) when it is closed with nothing connected
   */
  open(parameters?: OpenParameters): Promise<ConnectedAccount>
  /** Loads the modal ahead of `open`, unless the option `prefetch` is 'none'. For hover and focus. */
  prefetch(): void
  /** Registers a loader that `prefetch` and `open` call. */
  onPrefetch(load: () => void): () => void
  close(): void
  /**
   * Shows a toast in the card; removed after a while unless it is `loading`.
   *
   * @param text - a sentence as it is, or one of the catalogue's: `toastOf(key, values)`
   */
  toast(variant: ToastVariant, text: string | ToastText): void
  alert(code: AlertCode, values?: Record<string, string>): void
  track(event: KitEvent): void
  on<name extends KitEventName>(name: name, listener: KitEventListener<name>): () => void
  /** Runs a function later, unless the instance is destroyed before. @returns what cancels it */
  later(run: () => void, delayMs: number): () => void
  /** Registers a cleanup for `destroy`. */
  onDestroy(undo: () => void): void
  /** Stops every timer, listener and request of this instance and removes its elements. */
  destroy(): void
}
